-- An entry of a clock that ran ahead, and was set right since, neither ends nor delays the rest of
-- a sign-in that nobody has seen.

-- The entry by which a day went by in the log since that one, through acts of others than
-- `p_people`: itself after 24 hours, and some in eight hours by then. NULL: not yet. Failed
-- sign-ins, and what the system does, are nobody's acts. Entries of a clock that ran ahead count as
-- an hour, and end nothing.
CREATE OR REPLACE FUNCTION log_turn_v1(p_event bigint, p_people uuid[]) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
    since timestamptz := (SELECT at FROM public.payouts_event WHERE id = p_event);
    act record;
    hour timestamptz;
    hours timestamptz[] := '{}';
BEGIN
    FOR act IN SELECT e.id, e.at FROM public.payouts_event e
        WHERE e.id > p_event AND e.at >= since AND e.actor_id <> ALL (p_people) ORDER BY e.id
    LOOP
        hour := date_trunc('hour', act.at, 'UTC');
        IF hour <> ALL (hours) THEN
            hours := hours || hour;
        END IF;
        IF act.at >= since + interval '24 hours' AND cardinality(hours) >= 8 THEN
            RETURN act.id;
        END IF;
    END LOOP;
    RETURN NULL;
END $$;
