-- A count of a tray begins at a table of its house without a locked round: an opener where the
-- table is closed, all others in its open session.
CREATE OR REPLACE FUNCTION count_of_tray_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.place_kind = 'tray' AND (NOT EXISTS (SELECT FROM public.tables_table t
            WHERE (t.id, t.house_id) = (NEW.place_id, NEW.house_id)
                AND t.session_id IS NOT DISTINCT FROM NEW.session_id
                AND (t.session_id IS NULL) = (NEW.purpose = 'opener'))
        OR EXISTS (SELECT FROM public.tables_round r
            WHERE r.table_id = NEW.place_id AND r.state = 'locked'))
    THEN
        RAISE EXCEPTION 'the tray of table % cannot be counted as %', NEW.place_id, NEW.purpose
            USING ERRCODE = 'check_violation', TABLE = 'payouts_count',
                CONSTRAINT = 'count_of_tray';
    END IF;
    RETURN NEW;
END $$;
