-- A session's last number is read from the end of its index: max() may read all rounds of the session, as long as nobody has counted
-- a table that began empty.

-- Writes a locked round: round, stakes, the jackpot's running round and contribution, and the postings, in one call.
CREATE OR REPLACE FUNCTION round_lock_v1(
    p jsonb, p_leg_transfers int[], p_leg_accounts bigint[], p_leg_amounts bigint[]
) RETURNS int LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off AS $$
DECLARE
    r record;
    new_number int;
BEGIN
    SELECT * INTO r FROM jsonb_to_record(p -> 'round') AS x (id uuid, house uuid, "table" uuid, session uuid, gaming_day date,
        entry_level text, versions jsonb, jackpot uuid, epoch uuid, lock_hash text, croupier uuid, queued boolean, coins jsonb);
    new_number := 1 + coalesce((SELECT o.number FROM public.tables_round o WHERE o.session_id = r.session
                                ORDER BY o.number DESC LIMIT 1), 0);
    INSERT INTO public.tables_round (id, house_id, table_id, session_id, number, state, entry_level, revision, versions, jackpot_id,
        epoch_id, lock_hash, croupier_id, queued, reason)
    VALUES (r.id, r.house, r."table", r.session, new_number, 'locked', r.entry_level, 0, r.versions, r.jackpot,
        r.epoch, decode(r.lock_hash, 'hex'), r.croupier, r.queued, '');
    INSERT INTO public.tables_roundstake (house_id, round_id, revision, box, guest_id, kind, offered_minor, accepted_minor,
        returned_minor, rank, reason, rule, data, standing)
    SELECT r.house, r.id, 0, s.box, s.guest, s.kind, s.offered_minor, s.accepted_minor, s.offered_minor - s.accepted_minor,
        s.rank, coalesce(s.reason, ''), coalesce(s.rule, ''), s.data, s.standing
    FROM jsonb_to_recordset(p -> 'stakes') AS s (box int, guest uuid, kind text, offered_minor bigint, accepted_minor bigint,
        rank int, reason text, rule text, data jsonb, standing jsonb);
    IF r.jackpot IS NOT NULL THEN
        INSERT INTO public.jackpot_runninground (round_id, house_id, jackpot_id, epoch_id, table_id, coins, ended_as)
        VALUES (r.id, r.house, r.jackpot, r.epoch, r."table", r.coins, '');
    END IF;
    IF p ? 'contribution' THEN
        INSERT INTO public.jackpot_contribution (house_id, epoch_id, table_id, round_id, coins, meter_minor, reserve_minor, house_minor)
        SELECT r.house, r.epoch, r."table", r.id, c.coins, c.meter_minor, c.reserve_minor, c.house_minor
        FROM jsonb_to_record(p -> 'contribution') AS c (coins int, meter_minor bigint, reserve_minor bigint, house_minor bigint);
    END IF;
    IF cardinality(p_leg_amounts) > 0 THEN
        PERFORM ledger_post_v1(r.house, r.croupier, r.gaming_day, p -> 'transfers', p_leg_transfers, p_leg_accounts, p_leg_amounts, NULL);
    END IF;
    RETURN new_number;
END $$;

-- All that settles a round again, for ever: the round, its stakes, the accounts of its table, the newest cards that a feed sent.
-- `later` asks for the session's last number, and `feed` sorts: where the planner counts on finding one row soon (EXISTS, LIMIT 1) it
-- reads a whole table when there is none. The last round of a table has no later one, and most rounds have no feed.
CREATE OR REPLACE FUNCTION round_record_v1(p_round uuid) RETURNS json LANGUAGE sql STABLE SET enable_seqscan = off AS $$
    SELECT json_build_object(
        'id', r.id, 'house_id', r.house_id, 'table_id', r.table_id, 'session_id', r.session_id, 'number', r.number, 'state', r.state,
        'entry_level', r.entry_level, 'revision', r.revision, 'versions', r.versions, 'jackpot_id', r.jackpot_id,
        'epoch_id', r.epoch_id, 'croupier_id', r.croupier_id, 'queued', r.queued, 'locked_at', r.locked_at, 'ended_at', r.ended_at,
        'ended_by_id', r.ended_by_id, 'reason', r.reason,
        'game', t.game, 'boxes', t.boxes, 'table_jackpot', t.jackpot_id,
        'gaming_day', s.gaming_day, 'duty', s.croupier_id, 'session_closed', s.closed_at IS NOT NULL,
        'age_ms', (extract(epoch FROM clock_timestamp() - r.locked_at) * 1000)::bigint,
        'settled_ms', (extract(epoch FROM clock_timestamp() - r.ended_at) * 1000)::bigint,
        'later', coalesce((SELECT o.number FROM public.tables_round o WHERE o.session_id = r.session_id
            ORDER BY o.number DESC LIMIT 1) > r.number, false),
        'stakes', coalesce((SELECT json_agg(json_build_object('id', k.id, 'box', k.box, 'guest', k.guest_id, 'kind', k.kind,
                'offered_minor', k.offered_minor, 'accepted_minor', k.accepted_minor, 'returned_minor', k.returned_minor, 'rank', k.rank,
                'reason', k.reason, 'rule', k.rule, 'data', k.data, 'revision', k.revision) ORDER BY k.id)
            FROM public.tables_roundstake k WHERE k.round_id = r.id), '[]'),
        'feed', (SELECT f.cards FROM public.tables_cardfeed f WHERE f.round_id = r.id ORDER BY f.id + 0 DESC LIMIT 1),
        'accounts', (SELECT json_object_agg(a.kind, a.id) FROM public.payouts_account a
            WHERE a.house_id = r.house_id AND a.owner_id = r.table_id AND (a.detail_id IS NULL OR a.detail_id = r.epoch_id)))
    FROM public.tables_round r JOIN public.tables_table t ON t.id = r.table_id
    LEFT JOIN public.tables_tablesession s ON s.id = r.session_id
    WHERE r.id = p_round
$$;
