-- A table's versions: what a table may become, and under which a round was played.
-- A table's first version is the table as it was made.
CREATE FUNCTION table_version_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO public.tables_tableversion
        (id, house_id, table_id, number, pit_id, name, position, boxes, posted, retired)
    VALUES (gen_random_uuid(), NEW.house_id, NEW.id, 1, NEW.pit_id, NEW.name, NEW.position,
        NEW.boxes, NEW.posted, NEW.retired);
    RETURN NULL;
END $$;
-- A table's versions are numbered without a gap. The first is written with the table; a later one
-- was signed exactly as it stands, or came before the table was opened for the first time.
CREATE FUNCTION table_version_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.number <> 1 + (SELECT coalesce(max(number), 0) FROM public.tables_tableversion
                          WHERE table_id = NEW.table_id)
    THEN
        RAISE EXCEPTION 'table % has another version by now', NEW.table_id
            USING ERRCODE = 'unique_violation', TABLE = 'tables_tableversion',
                CONSTRAINT = 'table_version_once';
    END IF;
    IF NEW.approval_id IS NULL AND NOT EXISTS (SELECT FROM public.tables_tablesession
            WHERE table_id = NEW.table_id)
        OR EXISTS (SELECT FROM public.payouts_approval a WHERE a.id = NEW.approval_id
            AND (a.state, a.action, a.house_id) = ('used', 'table.change', NEW.house_id)
            AND a.subject_id = NEW.table_id::text AND a.revision = NEW.number
            AND a.payload -> 'after' = jsonb_build_object('pit', NEW.pit_id, 'name', NEW.name,
                'position', NEW.position, 'boxes', NEW.boxes, 'posted', NEW.posted,
                'retired', NEW.retired))
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'version % of table % is not signed', NEW.number, NEW.table_id
        USING ERRCODE = 'check_violation', TABLE = 'tables_tableversion',
            CONSTRAINT = 'table_version_guard';
END $$;
-- What a table is called, where it stands, its boxes and what is posted at it change together, to
-- one of its versions, while it is closed; what is retired stays closed.
CREATE FUNCTION table_as_its_version_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
-- A session is played under the version in which its table stands as it opens.
CREATE FUNCTION session_of_version_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.table_version := (SELECT version FROM public.tables_table WHERE id = NEW.table_id);
    RETURN NEW;
END $$;

INSERT INTO public.tables_tableversion
    (id, house_id, table_id, number, pit_id, name, position, boxes, posted, retired, created_at)
    SELECT gen_random_uuid(), house_id, id, 1, pit_id, name, position, boxes, posted, retired,
        clock_timestamp() FROM public.tables_table;

CREATE TRIGGER table_version_begin AFTER INSERT ON public.tables_table
    FOR EACH ROW EXECUTE FUNCTION table_version_begin_v1();
ALTER TABLE public.tables_table ENABLE ALWAYS TRIGGER table_version_begin;
CREATE TRIGGER table_version_guard BEFORE INSERT ON public.tables_tableversion
    FOR EACH ROW EXECUTE FUNCTION table_version_guard_v1();
ALTER TABLE public.tables_tableversion ENABLE ALWAYS TRIGGER table_version_guard;
CREATE TRIGGER table_as_its_version BEFORE UPDATE ON public.tables_table
    FOR EACH ROW EXECUTE FUNCTION table_as_its_version_v1();
ALTER TABLE public.tables_table ENABLE ALWAYS TRIGGER table_as_its_version;
CREATE TRIGGER session_of_version BEFORE INSERT ON public.tables_tablesession
    FOR EACH ROW EXECUTE FUNCTION session_of_version_v1();
ALTER TABLE public.tables_tablesession ENABLE ALWAYS TRIGGER session_of_version;

-- By pairs: a version's table and pit are its own house's, a session's version its own table's.
ALTER TABLE public.tables_tableversion ADD CONSTRAINT table_version_of_house
    FOREIGN KEY (table_id, house_id) REFERENCES public.tables_table (id, house_id);
ALTER TABLE public.tables_tableversion ADD CONSTRAINT table_version_pit_of_house
    FOREIGN KEY (pit_id, house_id) REFERENCES public.tables_pit (id, house_id);
ALTER TABLE public.tables_tablesession ADD CONSTRAINT session_version_of_table
    FOREIGN KEY (table_id, table_version)
    REFERENCES public.tables_tableversion (table_id, number) NOT VALID;
