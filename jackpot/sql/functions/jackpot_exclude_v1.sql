-- The same lock for itself alone: whoever changes the phase.
CREATE OR REPLACE FUNCTION jackpot_exclude_v1(p_jackpot uuid) RETURNS void LANGUAGE sql VOLATILE AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('jackpot:' || p_jackpot::text, 0))
$$;
