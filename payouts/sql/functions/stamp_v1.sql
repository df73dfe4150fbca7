-- When a row was written is the database's word, not the writer's. The column is named by the trigger.
CREATE OR REPLACE FUNCTION stamp_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RETURN jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], clock_timestamp()));
END $$;
