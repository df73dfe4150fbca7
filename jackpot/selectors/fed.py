"""How many coins fed a jackpot, and how much they brought: kept sums, and what came since."""

from uuid import UUID

from django.db import connection, transaction

LOCK = 7_202_611_251  # advisory: who keeps the sums does it alone

_KEEP = """
    WITH last AS (SELECT coalesce(max(upto), 0) AS upto FROM jackpot_fed)
    INSERT INTO jackpot_fed AS kept (epoch_id, upto, coins, minor)
    SELECT c.epoch_id, %(upto)s, sum(c.coins), sum(c.meter_minor + c.reserve_minor + c.house_minor)
    FROM last JOIN jackpot_contribution c ON c.id > last.upto AND c.id <= %(upto)s
        GROUP BY c.epoch_id
    ON CONFLICT (epoch_id) DO UPDATE
        SET upto = excluded.upto, coins = kept.coins + excluded.coins,
            minor = kept.minor + excluded.minor
"""
_FED = """
    SELECT coalesce(sum(coins), 0)::bigint, coalesce(sum(minor), 0)::bigint FROM (
        SELECT k.coins, k.minor FROM jackpot_fed k JOIN jackpot_epoch e ON e.id = k.epoch_id
            WHERE e.jackpot_id = %(jackpot)s
        UNION ALL
        SELECT c.coins, c.meter_minor + c.reserve_minor + c.house_minor FROM jackpot_contribution c
        JOIN jackpot_epoch e ON e.id = c.epoch_id
        WHERE c.id > (SELECT coalesce(max(upto), 0) FROM jackpot_fed) AND e.jackpot_id = %(jackpot)s
    ) fed
"""


def fed_keep(*, upto: int) -> None:
    """Add to the kept sums what came up to this contribution, below which none can come any more
    (`payouts/decided.py`).
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        cursor.execute(_KEEP, {"upto": upto})


def fed(*, jackpot_id: UUID) -> tuple[int, int]:
    """Coins since the jackpot was set up, less those taken back, and what they brought to meter,
    reserve and house (minor).
    """
    with connection.cursor() as cursor:
        cursor.execute(_FED, {"jackpot": jackpot_id})
        coins, minor = cursor.fetchone()
    return coins, minor
