-- A table's first version is the table as it was made.
CREATE OR REPLACE FUNCTION table_version_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO public.tables_tableversion
        (id, house_id, table_id, number, pit_id, name, position, boxes, posted, retired)
    VALUES (gen_random_uuid(), NEW.house_id, NEW.id, 1, NEW.pit_id, NEW.name, NEW.position,
        NEW.boxes, NEW.posted, NEW.retired);
    RETURN NULL;
END $$;
