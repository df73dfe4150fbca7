-- The triggers that call `refuse_change_v1` are put on every table whose model says so by `payouts/guards.py` now.
DROP FUNCTION make_append_only_v1(regclass);
DROP FUNCTION refuse_truncate_v1(regclass);

-- When a row was written is the database's word, not the writer's. The column is named by the trigger.
CREATE FUNCTION stamp_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RETURN jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], clock_timestamp()));
END $$;
