-- The entry by which a day went by in the log since that one, through acts of others than
-- `p_people`: one after 24 hours, and some in eight hours. NULL: not yet. Failed sign-ins, and what
-- the system does, are nobody's acts. An hour is read at a time, for the log has an index by time
-- that finds no single entry.
CREATE OR REPLACE FUNCTION log_turn_v1(p_event bigint, p_people uuid[]) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
    since timestamptz := (SELECT at FROM public.payouts_event WHERE id = p_event);
    until timestamptz := least(since + interval '60 days',
        (SELECT at FROM public.payouts_event ORDER BY id DESC LIMIT 1));
    hour timestamptz := date_trunc('hour', since);
    hours integer := 0;
    act bigint;
    act_late bigint;
    late bigint;
    eighth bigint;
BEGIN
    WHILE hour <= until AND (late IS NULL OR eighth IS NULL) LOOP
        SELECT min(l.id), min(l.id) FILTER (WHERE l.at >= since + interval '24 hours')
            INTO act, act_late
        FROM (SELECT e.id, e.at FROM public.payouts_event e
            WHERE e.at >= hour AND e.at < hour + interval '1 hour' AND e.at >= since
                AND e.id > p_event AND e.actor_id <> ALL (p_people) OFFSET 0) l;
        hours := hours + (act IS NOT NULL)::integer;
        eighth := CASE WHEN eighth IS NULL AND hours = 8 THEN act ELSE eighth END;
        late := coalesce(late, act_late);
        hour := hour + interval '1 hour';
    END LOOP;
    RETURN CASE WHEN late IS NULL OR eighth IS NULL THEN NULL ELSE greatest(late, eighth) END;
END $$;
