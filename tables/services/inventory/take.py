"""The first inventory is asked for, signed, and taken over into the books."""

from collections.abc import Iterable
from uuid import UUID

from payouts.commands import start_again
from payouts.db.constraints import refusing, require_transaction
from payouts.models import Approval, Inventory
from payouts.models.chips import ChipMoveKind
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.ledger.postings import check_house
from payouts.rules.plain import check_text
from payouts.selectors import chips_issued, gaming_day_at
from payouts.services import (
    approval_request,
    approval_sign,
    approval_signed,
    approval_use,
    event_record,
    lists_of,
    recipe_post,
)
from payouts.services.chips import chip_moves_write, chips_hold
from tables.errors import InventoryDone
from tables.services.floor.changes import asked_set_up, check_change, version_add
from tables.services.inventory.booked import as_counted, as_signed, asked_count, posted_lines
from tables.services.inventory.counted import (
    CheckedCount,
    HouseCount,
    check_count,
    hold_tables,
    recorded,
)

FIRST = "inventory.first"
SUBJECT = "inventory"


def inventory_request(
    *, house_id: UUID, count: HouseCount, reason: str, requester_id: UUID
) -> Approval:
    """Ask to take over what was counted. Raises TextRefused, and as `check_count`, `check_change`
    and the request.
    """
    require_transaction()
    check_house(house_id)
    check_text(reason, "reason", least=3, most=500)
    checked = check_count(house_id, count, hold_tables(house_id))
    signed = as_signed(checked)
    return approval_request(
        house_id=house_id,
        action=FIRST,
        subject_kind=SUBJECT,
        subject_id=house_id,
        payload=signed.payload,
        lists=signed.lists,
        requester_id=requester_id,
        reason=reason,
    )


def inventory_sign(
    *,
    approval_id: UUID,
    house_id: UUID,
    payload_hash: bytes,
    signer_id: UUID,
    signer_roles: Iterable[str],
    method: str,
) -> Approval:
    """Sign it; with the last signature the books are what was counted, and the tables are counted
    from their next opening on.

    Raises ApprovalUnknown (also of another action), ApprovalChanged (anything was booked since), as
    `inventory_request`, `approval_sign` and `approval_use`.
    """
    require_transaction()
    if not Approval.objects.filter(pk=approval_id, house_id=house_id, action=FIRST).exists():
        raise ApprovalUnknown
    tables = hold_tables(house_id)
    approval = approval_sign(
        approval_id=approval_id,
        house_id=house_id,
        payload_hash=payload_hash,
        signer_id=signer_id,
        signer_roles=signer_roles,
        method=method,
    )
    if approval_signed(approval) < approval.signers:
        return approval
    chips_hold(house_id)
    checked = check_count(house_id, asked_count(approval), tables)
    used = approval_use(
        approval_id=approval_id,
        house_id=house_id,
        action=FIRST,
        subject_kind=SUBJECT,
        subject_id=house_id,
        payload=as_signed(checked).payload,
        actor_id=signer_id,
    )
    _take_over(used, checked, signer_id)
    return used


def _take_over(approval: Approval, checked: CheckedCount, actor_id: UUID) -> None:
    house_id = approval.house_id
    day = gaming_day_at(house_id=house_id)
    transfer_id = _post(approval, checked, actor_id)
    before = chips_issued(house_id=house_id)
    chip_moves_write(
        house_id=house_id,
        gaming_day=day,
        kind=ChipMoveKind.INVENTORY.value,
        pieces={value: count - before.get(value, 0) for value, count in checked.issued.items()},
        transfer_id=transfer_id,
        approval_id=approval.pk,
    )
    difference_minor = approval.payload["difference_minor"]
    with refusing({"payouts_inventory_pkey": InventoryDone()}):
        Inventory.objects.create(
            house_id=house_id,
            gaming_day=day,
            approval=approval,
            transfer_id=transfer_id,
            difference_minor=difference_minor,
        )
    event_record(
        "inventory.taken",
        approval,
        actor_id=actor_id,
        after={"difference_minor": difference_minor, "transfer_id": transfer_id},
    )
    _name_tables(approval, checked, actor_id)


def _post(approval: Approval, checked: CheckedCount, actor_id: UUID) -> int | None:
    """Post what differs, if anything does; give the transfer's id. Starts again if something was
    booked since the books were read.
    """
    lines = posted_lines(checked)
    if not lines:
        return None
    owners = {str(counted.table_id): counted.table_id for counted in checked.whole.tables}
    transfer_id = recipe_post(
        house_id=approval.house_id,
        gaming_day=gaming_day_at(house_id=approval.house_id),
        key=f"inventory:{approval.house_id}",
        kind="inventory_first",
        lines=lines,
        owners=owners | {"house": approval.house_id},
        actor_id=actor_id,
        subject_kind="approval",
        subject_id=approval.pk,
    )
    if recorded(approval.house_id) != as_counted(checked):
        start_again()
    return transfer_id


def _name_tables(approval: Approval, checked: CheckedCount, actor_id: UUID) -> None:
    """Write the versions by which the tables are counted."""
    for line in lists_of(approval)["tables"]:
        if line["after"] is not None:
            table = checked.tables[UUID(line["table"])]
            after = asked_set_up(line["after"])
            before = check_change(table, after)
            version_add(table, before, after, approval=approval, actor_id=actor_id)
