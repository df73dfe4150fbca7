-- All that settles a round again, for ever: the round, its stakes, the accounts of its table, the
-- newest cards that a feed sent.
-- `later` asks for the session's last number, and `feed` sorts: where the planner counts on
-- finding one row soon (EXISTS, LIMIT 1) it reads a whole table when there is none. The last round
-- of a table has no later one, and most rounds have no feed.
CREATE OR REPLACE FUNCTION round_record_v1(p_round uuid) RETURNS json LANGUAGE sql STABLE
SET enable_seqscan = off AS $$
    SELECT json_build_object(
        'id', r.id, 'house_id', r.house_id, 'table_id', r.table_id, 'session_id', r.session_id,
            'number', r.number, 'state', r.state,
        'entry_level', r.entry_level, 'revision', r.revision, 'versions', r.versions,
            'jackpot_id', r.jackpot_id,
        'epoch_id', r.epoch_id, 'croupier_id', r.croupier_id, 'queued', r.queued, 'locked_at',
            r.locked_at, 'ended_at', r.ended_at,
        'ended_by_id', r.ended_by_id, 'reason', r.reason,
        'game', t.game, 'boxes', coalesce(v.boxes, t.boxes), 'table_jackpot', t.jackpot_id,
        'gaming_day', s.gaming_day, 'duty', s.croupier_id, 'session_closed',
            s.closed_at IS NOT NULL,
        'age_ms', (extract(epoch FROM clock_timestamp() - r.locked_at) * 1000)::bigint,
        'settled_ms', (extract(epoch FROM clock_timestamp() - r.ended_at) * 1000)::bigint,
        'later', coalesce((SELECT o.number FROM public.tables_round o
            WHERE o.session_id = r.session_id ORDER BY o.number DESC LIMIT 1) > r.number, false),
        'stakes', coalesce((SELECT json_agg(json_build_object('id', k.id, 'box', k.box, 'guest',
            k.guest_id, 'kind', k.kind,
                'offered_minor', k.offered_minor, 'accepted_minor', k.accepted_minor,
                    'returned_minor', k.returned_minor, 'rank', k.rank,
                'reason', k.reason, 'rule', k.rule, 'data', k.data, 'revision', k.revision,
                    'placed', k.placed,
                'source', k.source_id, 'takes_back', k.takes_back) ORDER BY k.id)
            FROM public.tables_roundstake k WHERE k.round_id = r.id), '[]'),
        'feed', fed.cards, 'feed_id', fed.id,
        'accounts', (SELECT json_object_agg(a.kind, a.id) FROM public.payouts_account a
            WHERE a.house_id = r.house_id AND a.owner_id = r.table_id
                AND (a.detail_id IS NULL OR a.detail_id = r.epoch_id)))
    FROM public.tables_round r JOIN public.tables_table t ON t.id = r.table_id
    LEFT JOIN public.tables_tablesession s ON s.id = r.session_id
    LEFT JOIN public.tables_tableversion v
        ON (v.table_id, v.number) = (s.table_id, s.table_version)
    LEFT JOIN LATERAL (SELECT f.id, f.cards FROM public.tables_cardfeed f WHERE f.round_id = r.id
        ORDER BY f.id + 0 DESC LIMIT 1) fed ON true
    WHERE r.id = p_round
$$;
