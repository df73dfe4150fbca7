-- What a command answered is kept for thirty days. Its key stays for ever, so nothing is done a second time.
CREATE FUNCTION command_key_guard_v2() RETURNS trigger LANGUAGE plpgsql AS $$
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
DROP TRIGGER command_key_guard ON public.payouts_commandkey;
CREATE TRIGGER command_key_guard BEFORE UPDATE OR DELETE ON public.payouts_commandkey
    FOR EACH ROW EXECUTE FUNCTION command_key_guard_v2();
ALTER TABLE public.payouts_commandkey ENABLE ALWAYS TRIGGER command_key_guard;
DROP FUNCTION command_key_guard_v1();

-- Forgets the answers of that many commands, the oldest first; gives how many there were.
CREATE FUNCTION command_forget_v1(p_most int) RETURNS int
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    forgotten int;
BEGIN
    UPDATE public.payouts_commandkey SET kept = false, answer = '{"forgotten": true}' WHERE key IN (
        SELECT k.key FROM public.payouts_commandkey k WHERE k.kept AND k.created_at < clock_timestamp() - interval '30 days'
        ORDER BY k.created_at LIMIT p_most);
    GET DIAGNOSTICS forgotten = ROW_COUNT;
    RETURN forgotten;
END $$;
