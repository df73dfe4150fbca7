-- Whether a day has gone by since an entry of the log: by the clock, and by the log, which has
-- entries in eight hours after it. A clock that is set on turns no log.
CREATE OR REPLACE FUNCTION log_turned_v1(p_event bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT clock_timestamp() >= e.at + interval '24 hours' AND 8 <= (
        SELECT count(DISTINCT date_trunc('hour', l.at)) FROM public.payouts_event l
        WHERE l.id > e.id AND l.at BETWEEN e.at AND e.at + interval '7 days')
    FROM public.payouts_event e WHERE e.id = p_event
$$;
