-- A count of a drop box begins at a table of its house, open or closed, for no other purpose.
CREATE OR REPLACE FUNCTION count_of_drop_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.place_kind = 'drop' AND (NEW.purpose <> 'drop'
        OR NOT EXISTS (SELECT FROM public.tables_table t
            WHERE (t.id, t.house_id) = (NEW.place_id, NEW.house_id)
                AND t.session_id IS NOT DISTINCT FROM NEW.session_id))
    THEN
        RAISE EXCEPTION 'the drop box of table % cannot be counted as %', NEW.place_id, NEW.purpose
            USING ERRCODE = 'check_violation', TABLE = 'payouts_count',
                CONSTRAINT = 'count_of_drop';
    END IF;
    RETURN NEW;
END $$;
