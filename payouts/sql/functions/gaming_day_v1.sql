-- The gaming day of a moment by the house's clock (HSE-1): it begins at the change time, not at midnight.
CREATE OR REPLACE FUNCTION gaming_day_v1(moment timestamptz, zone text, change time) RETURNS date LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN moment >= ((moment AT TIME ZONE zone)::date + change) AT TIME ZONE zone
                THEN (moment AT TIME ZONE zone)::date ELSE (moment AT TIME ZONE zone)::date - 1 END
$$;
