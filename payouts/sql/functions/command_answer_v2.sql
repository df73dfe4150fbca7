-- The unique key has the last word: who held no lock, or another one, is refused here (SQLSTATE 23505) with all that he wrote.
CREATE OR REPLACE FUNCTION command_answer_v2(p_key text, p_fingerprint bytea, p_answer jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO public.payouts_commandkey (key, fingerprint, answer, created_at) VALUES (p_key, p_fingerprint, p_answer, now());
END $$;
