-- Authors of what a round says are also who claimed or called for it, and who asked for or signed a correction of it. None of them signs
-- that it is voided or paid late.
CREATE FUNCTION round_authors_v1(p_round uuid) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
    SELECT x.entered_by_id FROM public.tables_roundresult x WHERE x.round_id = p_round
    UNION SELECT c.made_by_id FROM public.jackpot_claim c WHERE c.round_id = p_round AND c.made_by_id IS NOT NULL
    UNION SELECT person FROM public.payouts_approval a LEFT JOIN public.payouts_approvalsignature s ON s.approval_id = a.id
        CROSS JOIN LATERAL (VALUES (a.requester_id), (s.signer_id)) AS took (person)
    WHERE a.subject_kind = 'round' AND a.subject_id = p_round::text AND a.action = 'round.correct' AND a.state = 'used'
        AND person IS NOT NULL
$$;

CREATE OR REPLACE FUNCTION claim_by_author_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state IN ('verified', 'refused') AND NEW.decided_by_id IN (SELECT round_authors_v1(NEW.round_id)) THEN
        RAISE EXCEPTION 'claim %: its decider is an author of the result', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_claim', CONSTRAINT = 'claim_by_author';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION prize_names_authors_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT NEW.dealers @> ARRAY(SELECT round_authors_v1(NEW.source_id)) THEN
        RAISE EXCEPTION 'prize % does not name all authors of its result', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_waitingprize', CONSTRAINT = 'prize_names_authors';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION authors_excluded_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.action IN ('jackpot.award_late', 'round.void_claimed') AND NEW.subject_kind = 'round'
        AND NOT NEW.excluded @> ARRAY(SELECT round_authors_v1(NEW.subject_id::uuid))
    THEN
        RAISE EXCEPTION 'approval % lets an author of the round sign', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approval', CONSTRAINT = 'authors_excluded';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER authors_excluded BEFORE INSERT ON public.payouts_approval
    FOR EACH ROW EXECUTE FUNCTION authors_excluded_v1();
ALTER TABLE public.payouts_approval ENABLE ALWAYS TRIGGER authors_excluded;
