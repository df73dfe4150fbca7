-- A command's key is held by a lock of its own, and written once, with the answer, at the command's end.

-- Holds a key until the transaction ends, and gives the fingerprint and the answer of the command that was carried out under it; NULLs
-- if none was. While another transaction holds the key it waits at most p_wait_ms milliseconds (then SQLSTATE 55P03). The row is read
-- by a statement of its own, which sees what the other transaction committed while we waited: so this function stays VOLATILE. Keys
-- with the same hash only wait for one another.
CREATE FUNCTION command_claim_v2(p_key text, p_wait_ms int, OUT fingerprint bytea, OUT answer jsonb)
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off AS $$
DECLARE
    held bigint := hashtextextended('key:' || p_key, 0);
    usual text;
BEGIN
    IF NOT pg_try_advisory_xact_lock(held) THEN
        usual := current_setting('lock_timeout');
        PERFORM set_config('lock_timeout', p_wait_ms || 'ms', true);
        PERFORM pg_advisory_xact_lock(held);
        PERFORM set_config('lock_timeout', usual, true);
    END IF;
    SELECT k.fingerprint, k.answer INTO fingerprint, answer FROM public.payouts_commandkey k WHERE k.key = p_key;
END $$;

-- The unique key has the last word: who held no lock, or another one, is refused here (SQLSTATE 23505) with all that he wrote.
CREATE FUNCTION command_answer_v2(p_key text, p_fingerprint bytea, p_answer jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO public.payouts_commandkey (key, fingerprint, answer, created_at) VALUES (p_key, p_fingerprint, p_answer, now());
END $$;

DROP FUNCTION command_claim_v1(text, bytea, int);
DROP FUNCTION command_answer_v1(text, jsonb);

-- No key is committed without its answer. A row that comes with one has nothing to be looked up at commit.
DROP TRIGGER command_key_answered ON public.payouts_commandkey;
CREATE CONSTRAINT TRIGGER command_key_answered AFTER INSERT ON public.payouts_commandkey
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.answer IS NULL)) EXECUTE FUNCTION command_key_answered_v1();
ALTER TABLE public.payouts_commandkey ENABLE ALWAYS TRIGGER command_key_answered;
