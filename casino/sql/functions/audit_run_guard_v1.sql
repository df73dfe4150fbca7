-- What an audit found stays as it was written. A run without breach may go after a week; one with a breach never goes.
CREATE OR REPLACE FUNCTION audit_run_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.ok AND OLD.at < clock_timestamp() - interval '7 days' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'audit run %: % refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', TABLE = 'casino_auditrun', CONSTRAINT = 'audit_run_guard';
END $$;
