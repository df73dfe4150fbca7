-- Forgets the answers of that many commands, the oldest first; gives how many there were.
CREATE OR REPLACE FUNCTION command_forget_v1(p_most int) RETURNS int
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
