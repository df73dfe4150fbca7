-- Holds a key until the transaction ends, and gives the fingerprint and the answer of the command that was carried out under it; NULLs
-- if none was. While another transaction holds the key it waits at most p_wait_ms milliseconds (then SQLSTATE 55P03). The row is read
-- by a statement of its own, which sees what the other transaction committed while we waited: so this function stays VOLATILE. Keys
-- with the same hash only wait for one another.
CREATE OR REPLACE FUNCTION command_claim_v2(p_key text, p_wait_ms int, OUT fingerprint bytea, OUT answer jsonb)
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
