-- A result is written by the newest cards that a feed sent of its round.

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
        'game', t.game, 'boxes', t.boxes, 'table_jackpot', t.jackpot_id,
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
    LEFT JOIN LATERAL (SELECT f.id, f.cards FROM public.tables_cardfeed f WHERE f.round_id = r.id
        ORDER BY f.id + 0 DESC LIMIT 1) fed ON true
    WHERE r.id = p_round
$$;

-- Writes the end of a round: its state, the result, the lines, stakes placed while it ran, those
-- after its lock that a correction puts right, and the postings, in one call. Refuses a round that
-- is no longer in the state and revision that the result was made for, whose newest feed is
-- another (`feed`), and whoever has not the table (`duty`).
CREATE OR REPLACE FUNCTION round_settle_v1(
    p jsonb, p_leg_transfers int[], p_leg_accounts bigint[], p_leg_amounts bigint[]
) RETURNS void LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off AS $$
DECLARE
    r record;
BEGIN
    SELECT * INTO r FROM jsonb_to_record(p -> 'round') AS x (id uuid, house uuid, gaming_day date,
        was text, revision int, person uuid,
        duty uuid, source text, result jsonb, approval uuid, reason text, placed int, feed bigint);
    UPDATE public.tables_round SET state = 'settled', revision = r.revision,
        ended_at = coalesce(ended_at, clock_timestamp()),
        ended_by_id = coalesce(ended_by_id, r.person)
    WHERE id = r.id AND state = r.was AND revision = r.revision - 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % is no longer %', r.id, r.was
            USING ERRCODE = 'check_violation', TABLE = 'tables_round',
                CONSTRAINT = 'round_still_there';
    END IF;
    -- The result was worked out before this transaction: meanwhile the table may have been handed
    -- over.
    IF r.duty IS NOT NULL AND NOT EXISTS (SELECT FROM public.tables_round o
        JOIN public.tables_tablesession s ON s.id = o.session_id
        WHERE o.id = r.id AND s.croupier_id = r.duty)
    THEN
        RAISE EXCEPTION 'round %: % has not the table', r.id, r.duty
            USING ERRCODE = 'check_violation', TABLE = 'tables_round', CONSTRAINT = 'round_duty';
    END IF;
    -- Nor has a stake come that the result does not know.
    IF (SELECT count(*) FROM public.tables_roundstake k WHERE k.round_id = r.id AND k.placed > 0)
        <> coalesce(r.placed, 0) THEN
        RAISE EXCEPTION 'round % has other stakes', r.id
            USING ERRCODE = 'check_violation', TABLE = 'tables_round',
                CONSTRAINT = 'round_still_there';
    END IF;
    -- Nor has a shoe read cards of it since: feeds wait for the row that is held now.
    IF (SELECT f.id FROM public.tables_cardfeed f WHERE f.round_id = r.id
        ORDER BY f.id + 0 DESC LIMIT 1) IS DISTINCT FROM r.feed
    THEN
        RAISE EXCEPTION 'round % has a newer feed', r.id
            USING ERRCODE = 'check_violation', TABLE = 'tables_round', CONSTRAINT = 'round_feed';
    END IF;
    -- Nor has anybody called *Royal!* for it meanwhile: what touches a claim is written under the
    -- jackpot's exclusive lock.
    IF NOT (p ->> 'exclusive')::boolean AND EXISTS (SELECT FROM public.jackpot_claim c
        JOIN public.jackpot_hit h ON h.id = c.hit_id
        WHERE c.round_id = r.id AND c.state IN ('called', 'open', 'verified')
            AND h.state IN ('draining', 'verifying'))
    THEN
        RAISE EXCEPTION 'round % claims the jackpot', r.id
            USING ERRCODE = 'check_violation', TABLE = 'tables_round', CONSTRAINT = 'round_claims';
    END IF;
    INSERT INTO public.tables_roundresult (house_id, round_id, revision, source, result,
        entered_by_id, approval_id, reason)
    VALUES (r.house, r.id, r.revision, r.source, r.result, r.person, r.approval,
        coalesce(r.reason, ''));
    INSERT INTO public.tables_roundstake (house_id, round_id, revision, box, guest_id, kind,
        offered_minor, accepted_minor,
        returned_minor, reason, rule)
    SELECT r.house, r.id, r.revision, s.box, s.guest, s.kind, s.amount_minor, s.amount_minor, 0,
        '', ''
    FROM jsonb_to_recordset(p -> 'stakes') AS s (box int, guest uuid, kind text,
        amount_minor bigint);
    INSERT INTO public.tables_roundstake (house_id, round_id, revision, placed, takes_back, box,
        guest_id, source_id, kind, offered_minor,
        accepted_minor, returned_minor, reason, rule)
    SELECT r.house, r.id, r.revision, c.placed, c.takes_back, c.box, c.guest, c.source, c.kind,
        c.offered_minor, c.accepted_minor,
        c.returned_minor, c.reason, c.rule
    FROM jsonb_to_recordset(p -> 'changed') AS c (placed int, takes_back int, box int, guest uuid,
        source uuid, kind text,
        offered_minor bigint, accepted_minor bigint, returned_minor bigint, reason text, rule text);
    INSERT INTO public.tables_roundline (house_id, round_id, revision, place, box, guest_id, kind,
        stake_minor, returned_minor,
        won_minor, prize_minor, odds, hand, paid_by, code, rule)
    SELECT r.house, r.id, r.revision, l.place, l.box, l.guest, l.kind, l.stake_minor,
        l.returned_minor, l.won_minor, l.prize_minor,
        l.odds, l.hand, l.paid_by, l.code, l.rule
    FROM jsonb_to_recordset(p -> 'lines') AS l (place int, box int, guest uuid, kind text,
        stake_minor bigint, returned_minor bigint,
        won_minor bigint, prize_minor bigint, odds text, hand text, paid_by text, code text,
            rule text);
    UPDATE public.jackpot_runninground SET ended_at = clock_timestamp(), ended_as = 'settled'
    WHERE round_id = r.id AND ended_at IS NULL;
    IF cardinality(p_leg_amounts) > 0 THEN
        PERFORM ledger_post_v1(r.house, r.person, r.gaming_day, p -> 'transfers', p_leg_transfers,
            p_leg_accounts, p_leg_amounts, NULL);
    END IF;
END $$;
