-- The barrier's lock of a table's jackpot, shared: held to the end of the transaction. What is decided under it must be read by a
-- later statement, whose snapshot is younger than the lock; here only the id is given, to be compared with what is read then.
CREATE OR REPLACE FUNCTION jackpot_share_v1(p_jackpot uuid) RETURNS void LANGUAGE sql VOLATILE AS $$
    SELECT pg_advisory_xact_lock_shared(hashtextextended('jackpot:' || p_jackpot::text, 0))
$$;
