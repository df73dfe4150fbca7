-- It is explained by an explanation of what is left of it, settles by itself below the limit, and
-- opens again from there on.
CREATE OR REPLACE FUNCTION difference_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    step text := OLD.state || '>' || NEW.state;
    left_minor bigint := count_left_v1(OLD.count_id);
    is_large boolean := abs(left_minor) >= OLD.explain_from_minor;
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - 'state' <> to_jsonb(NEW) - 'state'
        OR NOT coalesce(CASE step
            WHEN 'open>explained' THEN EXISTS (SELECT FROM public.tables_explanation x
                WHERE x.difference_id = OLD.id AND x.amount_minor = left_minor)
            WHEN 'open>settled' THEN NOT is_large
            WHEN 'explained>open' THEN is_large
            WHEN 'settled>open' THEN is_large
            ELSE false END, false)
    THEN
        RAISE EXCEPTION 'difference %: % refused', OLD.id, coalesce(step, TG_OP)
            USING ERRCODE = 'restrict_violation', TABLE = 'tables_difference',
                CONSTRAINT = 'difference_guard';
    END IF;
    RETURN NEW;
END $$;
