-- The jackpot's rows: what of them may change.
CREATE TRIGGER jackpot_guard BEFORE UPDATE OR DELETE ON public.jackpot_jackpot
    FOR EACH ROW EXECUTE FUNCTION keep_columns_v1('', 'phase', 'epoch_id', 'offline_linked');
ALTER TABLE public.jackpot_jackpot ENABLE ALWAYS TRIGGER jackpot_guard;

CREATE TRIGGER running_round_guard BEFORE UPDATE OR DELETE ON public.jackpot_runninground
    FOR EACH ROW EXECUTE FUNCTION keep_columns_v1('ended_at', 'ended_at', 'ended_as');
ALTER TABLE public.jackpot_runninground ENABLE ALWAYS TRIGGER running_round_guard;

-- The barrier's lock of a table's jackpot, shared: held to the end of the transaction. What is decided under it must be read by a
-- later statement, whose snapshot is younger than the lock; here only the id is given, to be compared with what is read then.
CREATE FUNCTION jackpot_share_v1(p_jackpot uuid) RETURNS void LANGUAGE sql VOLATILE AS $$
    SELECT pg_advisory_xact_lock_shared(hashtextextended('jackpot:' || p_jackpot::text, 0))
$$;

-- The same lock for itself alone: whoever changes the phase.
CREATE FUNCTION jackpot_exclude_v1(p_jackpot uuid) RETURNS void LANGUAGE sql VOLATILE AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('jackpot:' || p_jackpot::text, 0))
$$;
