-- The day after which nobody need see a sign-in is read in the order of the log and no further
-- than it takes: the index by time does not know the newest entries, and each hour read them all.

-- The entry by which a day went by in the log since that one, through acts of others than
-- `p_people`: one after 24 hours, and some in eight hours. NULL: not yet, or not within 60 days.
-- Failed sign-ins, and what the system does, are nobody's acts.
CREATE OR REPLACE FUNCTION log_turn_v1(p_event bigint, p_people uuid[]) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
    since timestamptz := (SELECT at FROM public.payouts_event WHERE id = p_event);
    act record;
    hour timestamptz := '-infinity';
    hours integer := 0;
    late boolean := false;
BEGIN
    FOR act IN SELECT e.id, e.at FROM public.payouts_event e
        WHERE e.id > p_event AND e.at >= since AND e.actor_id <> ALL (p_people) ORDER BY e.id
    LOOP
        EXIT WHEN act.at >= since + interval '60 days';
        IF act.at >= hour + interval '1 hour' THEN
            hour := date_trunc('hour', act.at);
            hours := hours + 1;
        END IF;
        late := late OR act.at >= since + interval '24 hours';
        IF late AND hours >= 8 THEN
            RETURN act.id;
        END IF;
    END LOOP;
    RETURN NULL;
END $$;

-- Not called since casino 0025.
DROP FUNCTION log_turned_v1(bigint);
