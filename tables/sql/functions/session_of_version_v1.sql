-- A session is played under the version in which its table stands as it opens.
CREATE OR REPLACE FUNCTION session_of_version_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.table_version := (SELECT version FROM public.tables_table WHERE id = NEW.table_id);
    RETURN NEW;
END $$;
