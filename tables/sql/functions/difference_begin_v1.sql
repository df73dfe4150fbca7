-- A difference is of a signed count of its table, and so large that the house wants it explained.
CREATE OR REPLACE FUNCTION difference_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'open' OR coalesce(abs(count_left_v1(NEW.count_id)), 0) < NEW.explain_from_minor
        OR NOT EXISTS (SELECT FROM public.payouts_count c
            WHERE (c.id, c.house_id, c.place_id) = (NEW.count_id, NEW.house_id, NEW.table_id))
    THEN
        RAISE EXCEPTION 'count % has no difference that is open', NEW.count_id
            USING ERRCODE = 'check_violation', TABLE = 'tables_difference',
                CONSTRAINT = 'difference_begin';
    END IF;
    RETURN NEW;
END $$;
