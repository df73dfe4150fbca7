-- Rounds: which way they may go, and the two calls that write them.

-- A round is locked or a tombstone when it begins; it ends once; a settled one may be corrected, revision by revision.
CREATE FUNCTION round_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    step text := OLD.state || '>' || NEW.state;
BEGIN
    IF TG_OP = 'DELETE'
        OR step NOT IN ('locked>settled', 'locked>voided', 'locked>reopened', 'settled>settled')
        OR NEW.revision <> OLD.revision + (NEW.state = 'settled')::int
        OR to_jsonb(OLD) - ARRAY['state', 'revision', 'ended_at', 'ended_by_id', 'reason']
            <> to_jsonb(NEW) - ARRAY['state', 'revision', 'ended_at', 'ended_by_id', 'reason']
        OR (OLD.state = 'settled' AND OLD.ended_at <> NEW.ended_at)
    THEN
        RAISE EXCEPTION 'round %: % refused', OLD.id, coalesce(step, TG_OP)
            USING ERRCODE = 'restrict_violation', TABLE = 'tables_round', CONSTRAINT = 'round_guard';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER round_guard BEFORE UPDATE OR DELETE ON public.tables_round
    FOR EACH ROW EXECUTE FUNCTION round_guard_v1();
ALTER TABLE public.tables_round ENABLE ALWAYS TRIGGER round_guard;

CREATE FUNCTION round_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state NOT IN ('locked', 'withdrawn') OR NEW.revision <> 0 THEN
        RAISE EXCEPTION 'round % does not begin locked', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'tables_round', CONSTRAINT = 'round_begin';
    END IF;
    NEW.locked_at := clock_timestamp();
    NEW.ended_at := CASE NEW.state WHEN 'withdrawn' THEN NEW.locked_at END;
    RETURN NEW;
END $$;
CREATE TRIGGER round_begin BEFORE INSERT ON public.tables_round
    FOR EACH ROW EXECUTE FUNCTION round_begin_v1();
ALTER TABLE public.tables_round ENABLE ALWAYS TRIGGER round_begin;

-- A round, its table and its session are of one house and belong together.
ALTER TABLE public.tables_round ADD CONSTRAINT round_table_of_house
    FOREIGN KEY (table_id, house_id) REFERENCES public.tables_table (id, house_id);
ALTER TABLE public.tables_round ADD CONSTRAINT round_session_of_table
    FOREIGN KEY (session_id, table_id) REFERENCES public.tables_tablesession (id, table_id);

-- What a lock is decided on, read under the table's row (FOR SHARE: open, close, hand-over and link wait for us, we for them). The
-- second statement has a snapshot of its own, taken after the lock. NULL: there is no such table.
CREATE FUNCTION round_lock_context_v1(p_table uuid, p_round uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
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
                'offline', j.offline_linked)
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

-- Writes a locked round: round, stakes, the jackpot's running round and contribution, and the postings, in one call.
CREATE FUNCTION round_lock_v1(
    p jsonb, p_leg_transfers int[], p_leg_accounts bigint[], p_leg_amounts bigint[]
) RETURNS int LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    r record;
    new_number int;
BEGIN
    SELECT * INTO r FROM jsonb_to_record(p -> 'round') AS x (id uuid, house uuid, "table" uuid, session uuid, gaming_day date,
        entry_level text, versions jsonb, jackpot uuid, epoch uuid, lock_hash text, croupier uuid, queued boolean, coins jsonb);
    SELECT coalesce(max(number), 0) + 1 INTO new_number FROM public.tables_round WHERE session_id = r.session;
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
CREATE FUNCTION round_record_v1(p_round uuid) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT json_build_object(
        'id', r.id, 'house_id', r.house_id, 'table_id', r.table_id, 'session_id', r.session_id, 'number', r.number, 'state', r.state,
        'entry_level', r.entry_level, 'revision', r.revision, 'versions', r.versions, 'jackpot_id', r.jackpot_id,
        'epoch_id', r.epoch_id, 'croupier_id', r.croupier_id, 'queued', r.queued, 'locked_at', r.locked_at, 'ended_at', r.ended_at,
        'ended_by_id', r.ended_by_id, 'reason', r.reason,
        'game', t.game, 'boxes', t.boxes, 'table_jackpot', t.jackpot_id,
        'gaming_day', s.gaming_day, 'duty', s.croupier_id, 'session_closed', s.closed_at IS NOT NULL,
        'age_ms', (extract(epoch FROM clock_timestamp() - r.locked_at) * 1000)::bigint,
        'settled_ms', (extract(epoch FROM clock_timestamp() - r.ended_at) * 1000)::bigint,
        'later', EXISTS (SELECT FROM public.tables_round o WHERE o.table_id = r.table_id AND o.number > r.number
                         AND o.session_id = r.session_id),
        'stakes', coalesce((SELECT json_agg(json_build_object('id', k.id, 'box', k.box, 'guest', k.guest_id, 'kind', k.kind,
                'offered_minor', k.offered_minor, 'accepted_minor', k.accepted_minor, 'returned_minor', k.returned_minor, 'rank', k.rank,
                'reason', k.reason, 'rule', k.rule, 'data', k.data, 'revision', k.revision) ORDER BY k.id)
            FROM public.tables_roundstake k WHERE k.round_id = r.id), '[]'),
        'feed', (SELECT f.cards FROM public.tables_cardfeed f WHERE f.round_id = r.id ORDER BY f.id DESC LIMIT 1),
        'accounts', (SELECT json_object_agg(a.kind, a.id) FROM public.payouts_account a
            WHERE a.house_id = r.house_id AND a.owner_id = r.table_id AND (a.detail_id IS NULL OR a.detail_id = r.epoch_id)))
    FROM public.tables_round r JOIN public.tables_table t ON t.id = r.table_id
    LEFT JOIN public.tables_tablesession s ON s.id = r.session_id
    WHERE r.id = p_round
$$;

-- Writes the end of a round: its state, the result, the lines, stakes placed while it ran, and the postings, in one call. Refuses a
-- round that is no longer in the state and revision that the result was made for, and whoever has not the table (`duty`).
CREATE FUNCTION round_settle_v1(
    p jsonb, p_leg_transfers int[], p_leg_accounts bigint[], p_leg_amounts bigint[]
) RETURNS void LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan AS $$
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
