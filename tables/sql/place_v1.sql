-- A stake that comes after the lock: doubling, splitting, insurance, even money.

-- Writes a stake that comes after the lock: its row, its posting if it brings chips, and its event, in one call. The caller holds the
-- round's row and has read the round under it. Refuses a guest of another session, and a round that claims the jackpot.
CREATE OR REPLACE FUNCTION round_place_v1(
    p jsonb, p_leg_transfers int[], p_leg_accounts bigint[], p_leg_amounts bigint[]
) RETURNS void LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off AS $$
DECLARE
    r record;
    s record;
BEGIN
    SELECT * INTO r FROM jsonb_to_record(p -> 'round') AS x (id uuid, house uuid, session uuid, gaming_day date, person uuid);
    SELECT * INTO s FROM jsonb_to_record(p -> 'stake') AS x (placed int, box int, guest uuid, source uuid, kind text,
        amount_minor bigint);
    IF NOT EXISTS (SELECT FROM public.tables_round o WHERE o.id = r.id AND o.state = 'locked')
        OR s.placed <> 1 + (SELECT coalesce(max(k.placed), 0) FROM public.tables_roundstake k WHERE k.round_id = r.id)
    THEN
        RAISE EXCEPTION 'round % is no longer as it was read', r.id
            USING ERRCODE = 'check_violation', TABLE = 'tables_round', CONSTRAINT = 'round_still_there';
    END IF;
    IF NOT EXISTS (SELECT FROM public.tables_guest g WHERE g.id = s.guest AND g.session_id = r.session) THEN
        RAISE EXCEPTION 'guest % is not at the table of round %', s.guest, r.id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'tables_roundstake', CONSTRAINT = 'round_stake_guest';
    END IF;
    IF EXISTS (SELECT FROM public.jackpot_claim c JOIN public.jackpot_hit h ON h.id = c.hit_id
        WHERE c.round_id = r.id AND c.state IN ('called', 'open', 'verified') AND h.state IN ('draining', 'verifying'))
    THEN
        RAISE EXCEPTION 'round % claims the jackpot', r.id
            USING ERRCODE = 'check_violation', TABLE = 'tables_round', CONSTRAINT = 'round_claims';
    END IF;
    INSERT INTO public.tables_roundstake (house_id, round_id, revision, placed, box, guest_id, source_id, kind, offered_minor,
        accepted_minor, returned_minor, reason, rule)
    VALUES (r.house, r.id, 0, s.placed, s.box, s.guest, s.source, s.kind, s.amount_minor, s.amount_minor, 0, '', '');
    INSERT INTO public.payouts_event (name, house_id, actor_id, subject_kind, subject_id, after, reason, request_id)
    VALUES ('round.placed', r.house, r.person, 'round', r.id::text, p -> 'stake', '', '');
    IF cardinality(p_leg_amounts) > 0 THEN
        PERFORM ledger_post_v1(r.house, r.person, r.gaming_day, p -> 'transfers', p_leg_transfers, p_leg_accounts, p_leg_amounts, NULL);
    END IF;
END $$;
