-- An incarnation has the number of no other restore of the same backup. Who goes on with what a standby has is on the same cluster, on
-- a later timeline.
CREATE OR REPLACE FUNCTION incarnation_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
