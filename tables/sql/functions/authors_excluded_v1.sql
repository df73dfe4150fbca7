CREATE OR REPLACE FUNCTION authors_excluded_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.action IN ('jackpot.award_late', 'round.void_claimed') AND NEW.subject_kind = 'round'
        AND NOT NEW.excluded @> ARRAY(SELECT round_authors_v1(NEW.subject_id::uuid))
    THEN
        RAISE EXCEPTION 'approval % lets an author of the round sign', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approval', CONSTRAINT = 'authors_excluded';
    END IF;
    RETURN NEW;
END $$;
