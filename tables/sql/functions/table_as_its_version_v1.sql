-- What a table is called, where it stands, its boxes and what is posted at it change together, to
-- one of its versions, while it is closed; what is retired stays closed.
CREATE OR REPLACE FUNCTION table_as_its_version_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.version, NEW.pit_id, NEW.name, NEW.position, NEW.boxes, NEW.posted, NEW.retired)
            IS DISTINCT FROM
            (OLD.version, OLD.pit_id, OLD.name, OLD.position, OLD.boxes, OLD.posted, OLD.retired)
        AND NOT (NEW.session_id IS NULL AND NEW.version > OLD.version AND EXISTS (
            SELECT FROM public.tables_tableversion v
            WHERE (v.table_id, v.number, v.pit_id, v.name, v.position, v.boxes, v.posted, v.retired)
                = (NEW.id, NEW.version, NEW.pit_id, NEW.name, NEW.position, NEW.boxes, NEW.posted,
                    NEW.retired)))
        OR NEW.retired AND NEW.session_id IS NOT NULL
    THEN
        RAISE EXCEPTION 'table % is not as its version % says', NEW.id, NEW.version
            USING ERRCODE = 'check_violation', TABLE = 'tables_table',
                CONSTRAINT = 'table_as_its_version';
    END IF;
    RETURN NEW;
END $$;
