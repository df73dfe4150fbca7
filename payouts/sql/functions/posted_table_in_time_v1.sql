-- A gaming day that has begun keeps the tables it began with: a version may start today only if there is none to replace.
CREATE OR REPLACE FUNCTION posted_table_in_time_v1(wanted payouts_postedtable) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT wanted.starts <> 'day' OR wanted.in_force_from > today.day OR (wanted.in_force_from = today.day AND NOT EXISTS (
        SELECT FROM public.payouts_postedtable p WHERE p.house_id = wanted.house_id AND p.kind = wanted.kind AND p.name = wanted.name
            AND p.state = 'approved' AND p.in_force_from <= today.day))
    FROM (SELECT gaming_day_v1(clock_timestamp(), time_zone, gaming_day_change) AS day
          FROM public.payouts_house WHERE id = wanted.house_id) AS today
$$;
