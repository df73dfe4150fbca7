-- Who enters a result is its author: he decides about no claim of it, and signs none of its prizes. Rounds are this floor's, so that
-- it lays its triggers on the tables of the floor below.
CREATE OR REPLACE FUNCTION claim_by_author_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state IN ('verified', 'refused') AND NEW.decided_by_id IN (SELECT round_authors_v1(NEW.round_id)) THEN
        RAISE EXCEPTION 'claim %: its decider is an author of the result', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_claim', CONSTRAINT = 'claim_by_author';
    END IF;
    RETURN NEW;
END $$;
