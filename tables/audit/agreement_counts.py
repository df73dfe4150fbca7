"""Counts and differences held against what is sealed of them (`payouts/agreement.py`)."""

from payouts.agreement import Rule, apart, event

_ACTS = "'count.entered', 'count.refused', 'count.again'"
COUNTS = Rule(
    "payouts_count",
    "c.id",
    f"""payouts_count c
        LEFT JOIN payouts_countsignature g ON g.count_id = c.id AND g.stands
        LEFT JOIN {event("count", "c.id", _ACTS)} last ON true
        LEFT JOIN {event("count", "c.id", "'count.given_up'")} ended ON g.id IS NULL""",
    {
        "state": """c.state IS DISTINCT FROM CASE WHEN g.id IS NOT NULL THEN 'signed'
            WHEN ended.id IS NOT NULL THEN 'given_up'
            WHEN last.name IN ('count.entered', 'count.again') THEN substr(last.name, 7)
            ELSE 'begun' END""",
        "ended_by_id": "c.ended_by_id IS DISTINCT FROM coalesce(g.witness_id, ended.actor_id)",
        "ended_at": (
            "CASE WHEN g.id IS NULL AND ended.id IS NULL THEN c.ended_at IS NOT NULL ELSE"
            f" {apart('c.ended_at', 'coalesce(g.signed_at, ended.at)')} END"
        ),
    },
)
DIFFERENCES = Rule(
    "tables_difference",
    "d.id",
    f"""tables_difference d LEFT JOIN {
        event(
            "difference",
            "d.id",
            "'difference.opened', 'difference.settled', 'difference.explained'",
        )
    } last ON true""",
    {
        "state": """d.state IS DISTINCT FROM CASE last.name WHEN 'difference.opened' THEN 'open'
            ELSE substr(last.name, 12) END""",
    },
)
# An explanation that stands holds the hash of its words; one that was asked for, its request.
WORDS = Rule(
    "tables_explanationwords",
    "w.id",
    """tables_explanationwords w
        LEFT JOIN tables_explanation x ON x.id = w.id
        LEFT JOIN payouts_approval a ON a.action = 'difference.explain'
            AND a.payload ->> 'explanation' = w.id::text""",
    {
        "id": "x.id IS NULL AND a.id IS NULL",
        "house_id": "w.house_id IS DISTINCT FROM coalesce(x.house_id, a.house_id)",
        "difference_id": """w.difference_id::text IS DISTINCT FROM
            coalesce(x.difference_id::text, a.subject_id)""",
        "words": """sha256(convert_to(w.words, 'UTF8')) IS DISTINCT FROM
            coalesce(x.words_hash, decode(a.payload ->> 'words_sha256', 'hex'))""",
        "gone_from": """(w.gone_from IS NOT NULL) IS DISTINCT FROM
            (coalesce(x.code, a.payload ->> 'class') = 'theft')""",
    },
)
OF_COUNTS = (COUNTS, DIFFERENCES, WORDS)
