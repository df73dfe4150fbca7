-- Takes back a stake that came after the lock: its row, the reversal of its posting if it brought chips, and its event, in one call.
-- The caller holds the round's row and has read under it which stake is the newest. Refuses a round that claims the jackpot.
CREATE OR REPLACE FUNCTION round_take_back_v1(p_house uuid, p_round uuid, p_person uuid, p_gaming_day date, p_placed int) RETURNS void
LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    s public.tables_roundstake;
    t public.payouts_transfer;
BEGIN
    IF NOT EXISTS (SELECT FROM public.tables_round o WHERE o.id = p_round AND o.state = 'locked') THEN
        RAISE EXCEPTION 'round % is no longer as it was read', p_round
            USING ERRCODE = 'check_violation', TABLE = 'tables_round', CONSTRAINT = 'round_still_there';
    END IF;
    IF EXISTS (SELECT FROM public.jackpot_claim c JOIN public.jackpot_hit h ON h.id = c.hit_id
        WHERE c.round_id = p_round AND c.state IN ('called', 'open', 'verified') AND h.state IN ('draining', 'verifying'))
    THEN
        RAISE EXCEPTION 'round % claims the jackpot', p_round
            USING ERRCODE = 'check_violation', TABLE = 'tables_round', CONSTRAINT = 'round_claims';
    END IF;
    INSERT INTO public.tables_roundstake (house_id, round_id, revision, placed, takes_back, box, guest_id, source_id, kind,
        offered_minor, accepted_minor, returned_minor, reason, rule)
    SELECT k.house_id, k.round_id, 0, 1 + (SELECT max(o.placed) FROM public.tables_roundstake o WHERE o.round_id = p_round),
        k.placed, k.box, k.guest_id, k.source_id, k.kind, k.offered_minor, 0, k.offered_minor, 'taken_back', 'BOX-5'
    FROM public.tables_roundstake k WHERE k.round_id = p_round AND k.placed = p_placed AND p_placed > 0
    RETURNING * INTO s;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % has no stake % after its lock', p_round, p_placed
            USING ERRCODE = 'check_violation', TABLE = 'tables_roundstake', CONSTRAINT = 'round_stake_back';
    END IF;
    INSERT INTO public.payouts_event (name, house_id, actor_id, subject_kind, subject_id, after, reason, request_id)
    VALUES ('round.taken_back', p_house, p_person, 'round', p_round::text, jsonb_build_object('placed', s.placed, 'takes_back',
        s.takes_back, 'box', s.box, 'guest', s.guest_id, 'source', s.source_id, 'kind', s.kind, 'amount_minor', s.returned_minor),
        '', '');
    SELECT * INTO t FROM public.payouts_transfer o WHERE o.house_id = p_house AND o.key = 'round:' || p_round || ':place:' || p_placed;
    IF FOUND THEN
        PERFORM ledger_post_v1(p_house, p_person, p_gaming_day, jsonb_build_array(jsonb_build_object('key', 'reversal:' || t.id, 'kind',
            'reversal', 'subject_kind', t.subject_kind, 'subject_id', t.subject_id, 'reason', 'taken back', 'reverses', t.id)),
            array_agg(1 ORDER BY e.id), array_agg(e.account_id ORDER BY e.id), array_agg(-e.amount_minor ORDER BY e.id), NULL)
        FROM public.payouts_entry e WHERE e.transfer_id = t.id;
    END IF;
END $$;
