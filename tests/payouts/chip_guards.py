"""Control tests of what guards chips by the piece and the first inventory (`test_guards.py`)."""

GUARDED, FREE = "ALTER TABLE payouts_chipmove DISABLE TRIGGER", "ALTER TABLE payouts_inventory DISABLE TRIGGER"
DROPPED = "ALTER TABLE payouts_chipmove DROP CONSTRAINT"
_MOVE = (
    "INSERT INTO payouts_chipmove (house_id, gaming_day, kind, value_minor, pieces, from_place, to_place, transfer_id,"
    " approval_id)"
)
_SIGNED = "(SELECT id FROM payouts_approval WHERE action = '{}')"
# An approval that was used, as nobody signed it.
_USED = (
    "ALTER TABLE payouts_approval DISABLE TRIGGER USER; INSERT INTO payouts_approval SELECT (a).* FROM (SELECT"
    " jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'state', 'used', 'action', '{}', 'payload',"
    " '{}'::jsonb)) AS a FROM payouts_approval p WHERE state = 'open' LIMIT 1) AS copied; "
)
_WITHDRAWN = '{{"kind": "withdraw", "lines": [{{"value_minor": 100000, "pieces": 50}}]}}'
_INVENTORY = (
    "INSERT INTO payouts_inventory (house_id, gaming_day, approval_id, difference_minor)"
    " SELECT house_id, current_date, id, 0 FROM payouts_approval WHERE state = 'open' LIMIT 1"
)
_ELSEWHERE = (
    "INSERT INTO payouts_house (id, name, currency, locale, time_zone, gaming_day_change)"
    " VALUES (gen_random_uuid(), 'Elsewhere', 'CHF', '', 'UTC', '06:00'); "
)


def move(kind: str, pieces: int, ways: str, transfer: str, *, house: str = "house_id", approval: str = "NULL") -> str:
    """Pieces of 1 000 with the transfer of that kind, `ways` as `'from', 'to'`."""
    return (
        f"{_MOVE} SELECT {house}, gaming_day, '{kind}', 100000, {pieces}, {ways}, id, {approval} FROM payouts_transfer"
        f" WHERE kind = '{transfer}'"
    )


IN, OUT = "'stock', 'vault'", "'vault', 'stock'"
_ONE = "ALTER TABLE payouts_inventory DROP CONSTRAINT payouts_inventory_approval_id_key"
_OTHERS = (
    f"{FREE} inventory_guard; {_ELSEWHERE}INSERT INTO payouts_inventory (house_id, gaming_day, approval_id, transfer_id,"
    " difference_minor) SELECT (SELECT id FROM payouts_house WHERE name = 'Elsewhere'), current_date, id, (SELECT min(id)"
    " FROM payouts_transfer), 0 FROM payouts_approval WHERE state = 'open' LIMIT 1"
)
_PLAYED = (
    f"{FREE} inventory_guard; SET LOCAL session_replication_role = replica;"
    f" INSERT INTO tables_pokerstay (guest_id, house_id) SELECT id, id FROM payouts_house; {_INVENTORY}"
)
# name, refused by, how it is taken away, harm; the fill moves 50 000 out of the vault, as 50 pieces would
CHIP_GUARDS = [
    ("chips that nobody signed for", "chip_move_signed", f"{GUARDED} chip_move_guard", move("withdraw", 50, OUT, "fill")),
    ("chips beyond what was signed", "chip_move_signed", f"{GUARDED} chip_move_guard",
     _USED.format("chips.issue", _WITHDRAWN.format()) + move("withdraw", 25, OUT, "fill", approval=_SIGNED.format("chips.issue"))
     + "; " + move("withdraw", 25, OUT, "fill", approval=_SIGNED.format("chips.issue"))),
    ("no more chips go out than came in", "chip_move_there", f"{GUARDED} chip_move_guard",
     _USED.format("chips.issue", _WITHDRAWN.format())
     + move("withdraw", 50, OUT, "fill", approval=_SIGNED.format("chips.issue"))),
    ("a movement moves something", "chip_move_some", f"{DROPPED} chip_move_some; {GUARDED} chip_moves_are_posted",
     move("issue", 0, IN, "chips_in_service")),
    ("chips come in from outside", "chip_move_known", f"{DROPPED} chip_move_known",
     move("issue", 900, "'vault', 'vault'", "chips_in_service")),
    ("pieces are worth what is booked", "chip_moves_are_posted", f"{GUARDED} chip_moves_are_posted",
     move("issue", 899, IN, "chips_in_service")),
    ("pieces ever issued are worth the stock", "chip_moves_are_posted", f"{GUARDED} chip_moves_are_posted",
     _USED.format("inventory.first", "{}")
     + move("inventory", 899, IN, "chips_in_service", approval=_SIGNED.format("inventory.first"))),
    ("a movement's transfer is its house's", "chip_move_transfer_of_house",
     f"{DROPPED} chip_move_transfer_of_house; {GUARDED} chip_moves_are_posted",
     _ELSEWHERE + move("issue", 900, IN, "chips_in_service", house="(SELECT id FROM payouts_house WHERE name = 'Elsewhere')")),
    ("an inventory was signed", "inventory_guard", f"{FREE} inventory_guard", _INVENTORY),
    ("a house has one inventory", "payouts_inventory_pkey",
     "ALTER TABLE payouts_inventory DROP CONSTRAINT payouts_inventory_pkey",
     f"{_ONE}; {FREE} inventory_guard; {_INVENTORY}; {_INVENTORY}"),
    ("an inventory's transfer is its house's", "inventory_transfer_of_house",
     "ALTER TABLE payouts_inventory DROP CONSTRAINT inventory_transfer_of_house", _OTHERS),
    ("nobody plays while all is counted", "inventory_tables_closed", f"{FREE} inventory_tables_closed", _PLAYED),
]  # fmt: skip
