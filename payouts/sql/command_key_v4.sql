-- An answer that was given is on the disk, and on the standby where one must confirm, whatever its
-- session was set to: a role may set that for itself.
CREATE OR REPLACE FUNCTION command_answer_v2(p_key text, p_fingerprint bytea, p_answer jsonb)
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
        PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
    INSERT INTO public.payouts_commandkey (key, fingerprint, answer, created_at)
    VALUES (p_key, p_fingerprint, p_answer, now());
END $$;
