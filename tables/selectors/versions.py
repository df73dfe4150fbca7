"""Tables as they stood: by which of its versions a line of the past names its table."""


def as_it_stood(sessions: str) -> str:
    """The join of `v`: the version of table `t` under which the last of these of its sessions
    (`o`) was played; `sessions` is SQL.

    Versions without a signature came before the first session: the newest of them counts where
    there was none yet, whatever became of the table since.
    """
    return f"""LEFT JOIN LATERAL (
        SELECT v.name, v.position FROM tables_tableversion v
        WHERE v.table_id = t.id AND (v.approval_id IS NULL OR EXISTS (
            SELECT FROM tables_tablesession o
            WHERE o.table_id = t.id AND o.table_version >= v.number AND {sessions}))
        ORDER BY v.number DESC LIMIT 1) v ON true"""


def of_session(session: str, at: str) -> str:
    """As `as_it_stood`, by a session; of what is of none by those opened until a moment."""
    return as_it_stood(
        f"CASE WHEN {session} IS NULL THEN o.opened_at <= {at} ELSE o.id = {session} END"
    )
