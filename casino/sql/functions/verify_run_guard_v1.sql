-- What a verification found stays as it was written, and no run goes; nobody asks for the nightly
-- one.
CREATE OR REPLACE FUNCTION verify_run_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.state IN ('waiting', 'running')
        AND (NEW.id, NEW.asked_by_id, NEW.asked_at)
            IS NOT DISTINCT FROM (OLD.id, OLD.asked_by_id, OLD.asked_at)
        AND NOT (OLD.state = 'running' AND NEW.state = 'waiting') THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'verify run %: % refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', TABLE = 'casino_verifyrun',
            CONSTRAINT = 'verify_run_guard';
END $$;
