-- The entry by which a day went by in the log since that one, through acts of others than
-- `p_people`: one after 24 hours, and some in eight hours. NULL: not yet. Failed sign-ins, and what
-- the system does, are nobody's acts.
CREATE OR REPLACE FUNCTION log_turn_v1(p_event bigint, p_people uuid[]) RETURNS bigint
LANGUAGE sql STABLE AS $$
    WITH acts AS (
        SELECT l.id, l.at, l.at >= e.at + interval '24 hours' AS is_late
        FROM public.payouts_event e JOIN public.payouts_event l ON l.id > e.id
            AND l.at BETWEEN e.at AND e.at + interval '7 days'
        WHERE e.id = p_event AND l.actor_id <> ALL (p_people)
    )
    SELECT greatest(late.id, eighth.id)
    FROM (SELECT min(id) AS id FROM acts WHERE is_late) late,
        (SELECT min(id) AS id FROM acts GROUP BY date_trunc('hour', at)
            ORDER BY 1 OFFSET 7 LIMIT 1) eighth
    WHERE late.id IS NOT NULL
$$;
