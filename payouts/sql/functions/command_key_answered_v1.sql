-- No key is committed without its answer: a repeat would find nothing to say.
CREATE OR REPLACE FUNCTION command_key_answered_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM public.payouts_commandkey WHERE key = NEW.key AND answer IS NULL) THEN
        RAISE EXCEPTION 'command key % has no answer', NEW.key
            USING ERRCODE = 'check_violation', TABLE = 'payouts_commandkey', CONSTRAINT = 'command_key_answered';
    END IF;
    RETURN NULL;
END $$;
