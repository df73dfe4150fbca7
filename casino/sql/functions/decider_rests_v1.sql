-- Only who decides now is asked: what somebody decided stays when its claim is only touched.
CREATE OR REPLACE FUNCTION decider_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state IN ('verified', 'refused') AND (OLD.state, OLD.decided_by_id, OLD.checklist,
        OLD.reason)
        IS DISTINCT FROM (NEW.state, NEW.decided_by_id, NEW.checklist, NEW.reason)
    THEN
        PERFORM refuse_resting_v2(NEW.decided_by_id, NEW.house_id, 'claim', 'jackpot_claim');
    END IF;
    RETURN NEW;
END $$;
