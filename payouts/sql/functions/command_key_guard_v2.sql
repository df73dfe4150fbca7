-- What a command answered is kept for thirty days. Its key stays for ever, so nothing is done a second time.
CREATE OR REPLACE FUNCTION command_key_guard_v2() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR (OLD.key, OLD.fingerprint, OLD.created_at) IS DISTINCT FROM (NEW.key, NEW.fingerprint, NEW.created_at)
        OR (OLD.answer IS NOT NULL AND NOT (OLD.kept AND NOT NEW.kept AND NEW.answer = '{"forgotten": true}'
            AND OLD.created_at < clock_timestamp() - interval '30 days'))
        OR (OLD.answer IS NULL AND (NEW.answer IS NULL OR NOT NEW.kept))
    THEN
        RAISE EXCEPTION 'command key %: % refused', OLD.key, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = 'payouts_commandkey', CONSTRAINT = 'command_key_guard';
    END IF;
    RETURN NEW;
END $$;
