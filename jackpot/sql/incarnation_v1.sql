-- Which server this is: the identifier of its cluster and its timeline. The control file names the timeline of the last checkpoint,
-- which a standby that was promoted a moment ago has still to make.
CREATE FUNCTION server_v1(OUT system_identifier bigint, OUT timeline integer) LANGUAGE sql STABLE AS $$
    SELECT (SELECT c.system_identifier FROM pg_control_system() c),
        CASE WHEN pg_is_in_recovery() THEN (SELECT c.timeline_id FROM pg_control_checkpoint() c)
            ELSE ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer END
$$;

-- An incarnation has the number of no other restore of the same backup. Who goes on with what a standby has is on the same cluster, on
-- a later timeline.
CREATE FUNCTION incarnation_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    standing public.jackpot_incarnation;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('incarnation', 0));
    SELECT * INTO standing FROM public.jackpot_incarnation ORDER BY id DESC LIMIT 1;
    SELECT s.system_identifier, s.timeline INTO NEW.system_identifier, NEW.timeline FROM public.server_v1() s;
    NEW.number := CASE
        WHEN NEW.how = 'begun' AND standing.id IS NULL THEN
            (SELECT coalesce(max(j.incarnation), 1) FROM public.jackpot_jackpot j)
        WHEN NEW.how = 'restored' AND standing.id IS NOT NULL THEN
            greatest(standing.number + 1, floor(extract(epoch FROM clock_timestamp()))::bigint)
        WHEN NEW.how = 'promoted' AND NEW.system_identifier = standing.system_identifier AND NEW.timeline > standing.timeline THEN
            standing.number END;
    IF NEW.number IS NULL THEN
        RAISE EXCEPTION 'no incarnation is % here', NEW.how
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_incarnation', CONSTRAINT = 'incarnation_begin';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER incarnation_begin BEFORE INSERT ON public.jackpot_incarnation
    FOR EACH ROW EXECUTE FUNCTION incarnation_begin_v1();
ALTER TABLE public.jackpot_incarnation ENABLE ALWAYS TRIGGER incarnation_begin;

-- The number of a slip as people write it (`jackpot/rules/slip_number.py`).
CREATE FUNCTION slip_written_v1(number integer, incarnation bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT number || CASE WHEN incarnation > 1 THEN '-' || upper(to_hex(incarnation)) ELSE '' END
$$;
