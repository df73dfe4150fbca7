-- A command's key, its fingerprint and its answer live and die with the command's transaction.

-- Claims a key. Fresh: the row is ours until commit. Not fresh: the first command's fingerprint and answer. While another
-- transaction holds the same key, the INSERT waits for its end, at most p_wait_ms milliseconds (then SQLSTATE 55P03).
CREATE FUNCTION command_claim_v1(p_key text, p_fingerprint bytea, p_wait_ms int, OUT fresh boolean, OUT fingerprint bytea, OUT answer jsonb)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    usual text := current_setting('lock_timeout');
BEGIN
    PERFORM set_config('lock_timeout', p_wait_ms || 'ms', true);
    INSERT INTO public.payouts_commandkey AS k (key, fingerprint, created_at) VALUES (p_key, p_fingerprint, now())
        ON CONFLICT (key) DO NOTHING;
    fresh := FOUND;
    PERFORM set_config('lock_timeout', usual, true);
    IF NOT fresh THEN  -- a statement of its own: it sees what the other transaction committed while we waited
        SELECT k.fingerprint, k.answer INTO fingerprint, answer FROM public.payouts_commandkey k WHERE k.key = p_key;
    END IF;
END $$;

CREATE FUNCTION command_answer_v1(p_key text, p_answer jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE public.payouts_commandkey SET answer = p_answer WHERE key = p_key AND answer IS NULL;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'command key % is not waiting for an answer', p_key
            USING ERRCODE = 'restrict_violation', TABLE = 'payouts_commandkey', CONSTRAINT = 'command_key_guard';
    END IF;
END $$;

-- Once answered a key never changes, and none goes: a forgotten key would let its command run a second time.
CREATE FUNCTION command_key_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.answer IS NOT NULL OR NEW.answer IS NULL
        OR (OLD.key, OLD.fingerprint, OLD.created_at) IS DISTINCT FROM (NEW.key, NEW.fingerprint, NEW.created_at)
    THEN
        RAISE EXCEPTION 'command key %: % refused', OLD.key, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = 'payouts_commandkey', CONSTRAINT = 'command_key_guard';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER command_key_guard BEFORE UPDATE OR DELETE ON public.payouts_commandkey
    FOR EACH ROW EXECUTE FUNCTION command_key_guard_v1();
ALTER TABLE public.payouts_commandkey ENABLE ALWAYS TRIGGER command_key_guard;

-- No key is committed without its answer: a repeat would find nothing to say.
CREATE FUNCTION command_key_answered_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM public.payouts_commandkey WHERE key = NEW.key AND answer IS NULL) THEN
        RAISE EXCEPTION 'command key % has no answer', NEW.key
            USING ERRCODE = 'check_violation', TABLE = 'payouts_commandkey', CONSTRAINT = 'command_key_answered';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER command_key_answered AFTER INSERT ON public.payouts_commandkey
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION command_key_answered_v1();
ALTER TABLE public.payouts_commandkey ENABLE ALWAYS TRIGGER command_key_answered;
