-- Nobody who dealt a claiming round, or is an author of what it says, signs the payment or rejection of its hit, or its prize: the
-- request says so when it is made.
CREATE OR REPLACE FUNCTION award_excludes_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    took uuid[] := '{}';
BEGIN
    IF NEW.action IN ('jackpot.award', 'jackpot.reject') AND NEW.subject_kind = 'hit' THEN
        took := ARRAY(SELECT DISTINCT unnest(c.dealers) FROM public.jackpot_claim c
                      WHERE c.hit_id = NEW.subject_id::uuid AND c.state <> 'dropped');
    ELSIF NEW.action = 'jackpot.prize' AND NEW.subject_kind = 'prize' THEN
        took := ARRAY(SELECT DISTINCT unnest(p.dealers) FROM public.jackpot_waitingprize p WHERE p.id = NEW.subject_id::uuid);
    END IF;
    IF NOT NEW.excluded @> took THEN
        RAISE EXCEPTION 'approval % lets somebody sign who took part in it', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approval', CONSTRAINT = 'award_excludes';
    END IF;
    RETURN NEW;
END $$;
