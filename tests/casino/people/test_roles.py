"""What roles may do: what is not listed, nobody may."""

from casino.people import roles
from casino.people.models import Person
from tests.turns import each

ALL = {
    "payouts.view_transfer",
    "payouts.view_house",
    "payouts.change_house",
    "payouts.delete_transfer",
    "jackpot.view_meter",
    "jackpot.view_slip",
    "jackpot.verify",
    "jackpot.suspend",
    "jackpot.manage",
    "jackpot.pay_slips",
    "tables.view_round",
    "tables.run_floor",
    "tables.correct_round",
    "tables.deal",
    "tables.set_up",
    "payouts.view_approval",
    "casino.view_chips",
    "payouts.request_chipmove",
    "payouts.request_inventory",
    "casino.view_person",
    "casino.add_person",
    "casino.change_person",
    "casino.delete_person",
    "casino.unlock_pin",
    "casino.unlock_sign_in",
    "casino.view_metrics",
    "casino.view_audit",
    "casino.use_tablet",
    "casino.view_theft",
    "payouts.view_count",
    "payouts.count_drop",
    "tables.explain_difference",
    "casino.enrol_device",
    "casino.view_device",
    "casino.view_devicesession",
    "casino.view_alert",
    "casino.change_device",
    "admin.view_logentry",
    "auth.view_permission",
    "otp_totp.view_totpdevice",
}
DEVICES = {"casino.view_device", "casino.view_devicesession", "casino.view_alert"}
FLOOR = {
    "payouts.view_count",
    "payouts.view_transfer",
    "payouts.view_approval",
    "payouts.view_house",
    "jackpot.view_meter",
    "jackpot.view_slip",
    "tables.view_round",
}
VERIFY = {"jackpot.verify", "jackpot.suspend"}
MAY = {
    "croupier": {"casino.use_tablet", "tables.deal"},
    "pit_boss": {
        "casino.unlock_pin",
        "casino.use_tablet",
        "casino.enrol_device",
        "tables.deal",
        "payouts.view_approval",
        "payouts.view_count",
        "tables.explain_difference",
        "casino.view_theft",
    }
    | {"tables.run_floor", "tables.correct_round", "tables.view_round", "jackpot.view_meter", "jackpot.view_slip"}
    | VERIFY,
    "cage": {
        "jackpot.view_slip",
        "jackpot.pay_slips",
        "casino.view_chips",
        "payouts.view_count",
        "payouts.count_drop",
        "tables.explain_difference",
    },
    "auditor": FLOOR
    | DEVICES
    | {"casino.view_person", "casino.view_metrics", "casino.view_audit", "admin.view_logentry", "casino.view_theft"}
    | {"casino.view_chips"},
    "surveillance": FLOOR | DEVICES | {"casino.view_person"},
    "technician": {"payouts.view_house", "jackpot.view_meter", "tables.view_round", "casino.view_metrics"}
    | DEVICES
    | {"casino.enrol_device", "tables.set_up", "payouts.view_approval", "jackpot.view_slip", "jackpot.suspend"},
    "manager": FLOOR
    | {"tables.explain_difference", "casino.view_theft", "casino.view_chips", "payouts.count_drop"}
    | DEVICES
    | {"casino.enrol_device", "tables.correct_round", "jackpot.manage"}
    | {"casino.view_chips", "payouts.request_chipmove", "payouts.request_inventory"}
    | VERIFY
    | {"casino.view_person", "casino.view_metrics", "casino.view_audit", "admin.view_logentry"}
    | {"casino.add_person", "casino.change_person", "casino.unlock_pin", "casino.unlock_sign_in"},
}


def test_every_role_is_in_the_table() -> None:
    assert list(MAY) == roles.CODES


@each("role", roles.CODES)
def test_role_may_exactly_what_the_table_says(role: str) -> None:
    person = Person(roles=[role])
    assert {permission for permission in ALL if person.has_perm(permission)} == MAY[role]
    assert person.has_perms(sorted(MAY[role]))
    assert not person.has_perms([*sorted(MAY[role]), "payouts.delete_transfer"])


@each("role", roles.CODES)
def test_module_is_open_to_a_role_that_may_something_in_it(role: str) -> None:
    person = Person(roles=[role])
    apps = {"payouts", "jackpot", "tables", "casino", "admin", "auth", "otp_totp", "payout"}
    assert {app for app in apps if person.has_module_perms(app)} == {name.split(".")[0] for name in MAY[role]}


def test_admin_is_entered_by_four_roles_only() -> None:
    assert {role for role in roles.CODES if Person(roles=[role]).is_staff} == {
        "auditor",
        "surveillance",
        "technician",
        "manager",
    }


def test_roles_add_up() -> None:
    both = Person(roles=["technician", "pit_boss"])
    assert both.has_perm("casino.unlock_pin")
    assert both.has_perm("jackpot.view_meter")
    assert not both.has_perm("payouts.view_transfer")


def test_first_role_is_the_first_of_the_list_however_they_are_stored() -> None:
    assert Person(roles=["manager", "croupier"]).known_roles() == ["croupier", "manager"]


@each("inactive", [{"is_active": False}, {"is_demo": True}])
def test_who_may_not_be_here_may_nothing(inactive: dict[str, bool]) -> None:
    person = Person(roles=["manager"], **inactive)
    assert not person.has_perm("casino.view_person")
    assert not person.has_module_perms("casino")
    assert not person.is_staff


def test_unknown_role_holds_nothing() -> None:
    assert not Person(roles=["superuser"]).has_perm("casino.view_person")
    assert roles.label("superuser") == "superuser"
    assert not hasattr(Person(), "is_superuser")
