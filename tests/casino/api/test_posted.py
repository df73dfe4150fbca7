"""What a house posts, as programs read it that work an amount out again."""

from tests.casino.api.ground import Ground


def test_released_tables_come_with_their_data_and_from_when_they_count(ground: Ground) -> None:
    status, page = ground.offices["technician"].get("posted-tables/", limit=200)
    assert status == 200
    assert {row["house"] for row in page["results"]} == {str(ground.floor.house.pk)}
    rows = {(row["kind"], row["name"]): row for row in page["results"]}
    blind = rows["blind", "UTH Blind"]
    assert {"hand": "flush", "odds": "3:2"} in blind["data"]["lines"]
    assert (blind["version"], blind["in_force_from"] is None) == (1, False)
    funding = next(row for (kind, _name), row in rows.items() if kind == "funding")
    assert (funding["in_force_from"], funding["released_at"] is None) == (None, False)


def test_one_kind_alone_can_be_asked_for(ground: Ground) -> None:
    _status, page = ground.offices["auditor"].get("posted-tables/", kind="trips")
    assert [row["kind"] for row in page["results"]] == ["trips"]
    status, problem = ground.offices["auditor"].get("posted-tables/", kind="tipps")
    assert (status, problem["code"]) == (400, "request.field_wrong")
