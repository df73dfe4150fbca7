-- Rounds and the jackpot: a lock knows the rules about hits, and a settlement sees a call that came before it.

-- What a lock is decided on, read under the table's row (FOR SHARE: open, close, hand-over and link wait for us, we for them). The
-- second statement has a snapshot of its own, taken after the lock. NULL: there is no such table.
CREATE OR REPLACE FUNCTION round_lock_context_v1(p_table uuid, p_round uuid) RETURNS json LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off AS $$
DECLARE
    seat public.tables_table;
    result json;
BEGIN
    SELECT * INTO seat FROM public.tables_table WHERE id = p_table FOR SHARE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT json_build_object(
        'house', seat.house_id, 'game', seat.game, 'boxes', seat.boxes, 'jackpot', seat.jackpot_id,
        'day', gaming_day_v1(clock_timestamp(), house.time_zone, house.gaming_day_change),
        'session', (SELECT json_build_object('id', s.id, 'gaming_day', s.gaming_day, 'entry_level', s.entry_level,
                'versions', s.versions, 'croupier', s.croupier_id,
                'guests', (SELECT json_object_agg(g.id, json_build_array(g.box, g.seated, g.distance)) FROM public.tables_guest g
                           WHERE g.session_id = s.id AND g.left_at IS NULL))
            FROM public.tables_tablesession s WHERE s.id = seat.session_id),
        'link', (SELECT json_build_object('phase', j.phase, 'epoch', e.id, 'progressive', e.progressive_id, 'funding', e.funding_id,
                'jackpot_rules', e.rules_id, 'offline', j.offline_linked)
            FROM public.jackpot_jackpot j JOIN public.jackpot_epoch e ON e.id = j.epoch_id WHERE j.id = seat.jackpot_id),
        'accounts', (SELECT json_object_agg(a.kind, a.id) FROM public.payouts_account a
            WHERE a.house_id = seat.house_id AND a.owner_id = seat.id AND (a.detail_id IS NULL
                OR a.detail_id = (SELECT epoch_id FROM public.jackpot_jackpot WHERE id = seat.jackpot_id))),
        'locked', (SELECT r.id FROM public.tables_round r WHERE r.table_id = seat.id AND r.state = 'locked'),
        'known', (SELECT json_build_object('state', r.state, 'table', r.table_id, 'lock_hash', encode(r.lock_hash, 'hex'))
            FROM public.tables_round r WHERE r.id = p_round))
    INTO result FROM public.payouts_house house WHERE house.id = seat.house_id;
    RETURN result;
END $$;

-- Writes the end of a round: its state, the result, the lines, stakes placed while it ran, and the postings, in one call. Refuses a
-- round that is no longer in the state and revision that the result was made for, and whoever has not the table (`duty`).
CREATE OR REPLACE FUNCTION round_settle_v1(
    p jsonb, p_leg_transfers int[], p_leg_accounts bigint[], p_leg_amounts bigint[]
) RETURNS void LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off AS $$
DECLARE
    r record;
BEGIN
    SELECT * INTO r FROM jsonb_to_record(p -> 'round') AS x (id uuid, house uuid, gaming_day date, was text, revision int, person uuid,
        duty uuid, source text, result jsonb, approval uuid, reason text);
    UPDATE public.tables_round SET state = 'settled', revision = r.revision,
        ended_at = coalesce(ended_at, clock_timestamp()), ended_by_id = coalesce(ended_by_id, r.person)
    WHERE id = r.id AND state = r.was AND revision = r.revision - 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % is no longer %', r.id, r.was
            USING ERRCODE = 'check_violation', TABLE = 'tables_round', CONSTRAINT = 'round_still_there';
    END IF;
    -- The result was worked out before this transaction: meanwhile the table may have been handed over.
    IF r.duty IS NOT NULL AND NOT EXISTS (SELECT FROM public.tables_round o JOIN public.tables_tablesession s ON s.id = o.session_id
                                          WHERE o.id = r.id AND s.croupier_id = r.duty) THEN
        RAISE EXCEPTION 'round %: % has not the table', r.id, r.duty
            USING ERRCODE = 'check_violation', TABLE = 'tables_round', CONSTRAINT = 'round_duty';
    END IF;
    -- Nor has anybody called *Royal!* for it meanwhile: what touches a claim is written under the jackpot's exclusive lock.
    IF NOT (p ->> 'exclusive')::boolean AND EXISTS (SELECT FROM public.jackpot_claim c JOIN public.jackpot_hit h ON h.id = c.hit_id
        WHERE c.round_id = r.id AND c.state IN ('called', 'open', 'verified') AND h.state IN ('draining', 'verifying'))
    THEN
        RAISE EXCEPTION 'round % claims the jackpot', r.id
            USING ERRCODE = 'check_violation', TABLE = 'tables_round', CONSTRAINT = 'round_claims';
    END IF;
    INSERT INTO public.tables_roundresult (house_id, round_id, revision, source, result, entered_by_id, approval_id, reason)
    VALUES (r.house, r.id, r.revision, r.source, r.result, r.person, r.approval, coalesce(r.reason, ''));
    INSERT INTO public.tables_roundstake (house_id, round_id, revision, box, guest_id, kind, offered_minor, accepted_minor,
        returned_minor, reason, rule)
    SELECT r.house, r.id, r.revision, s.box, s.guest, s.kind, s.amount_minor, s.amount_minor, 0, '', ''
    FROM jsonb_to_recordset(p -> 'stakes') AS s (box int, guest uuid, kind text, amount_minor bigint);
    INSERT INTO public.tables_roundline (house_id, round_id, revision, place, box, guest_id, kind, stake_minor, returned_minor,
        won_minor, prize_minor, odds, hand, paid_by, code, rule)
    SELECT r.house, r.id, r.revision, l.place, l.box, l.guest, l.kind, l.stake_minor, l.returned_minor, l.won_minor, l.prize_minor,
        l.odds, l.hand, l.paid_by, l.code, l.rule
    FROM jsonb_to_recordset(p -> 'lines') AS l (place int, box int, guest uuid, kind text, stake_minor bigint, returned_minor bigint,
        won_minor bigint, prize_minor bigint, odds text, hand text, paid_by text, code text, rule text);
    UPDATE public.jackpot_runninground SET ended_at = clock_timestamp(), ended_as = 'settled'
    WHERE round_id = r.id AND ended_at IS NULL;
    IF cardinality(p_leg_amounts) > 0 THEN
        PERFORM ledger_post_v1(r.house, r.person, r.gaming_day, p -> 'transfers', p_leg_transfers, p_leg_accounts, p_leg_amounts, NULL);
    END IF;
END $$;
