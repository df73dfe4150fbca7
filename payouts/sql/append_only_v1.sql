-- Rows of an append-only table never change and never go (design rule: a correction is a reversal plus a new entry).
-- The triggers that call this are put on every table whose model says so (`payouts/guards.py`), and are ENABLE ALWAYS:
-- `session_replication_role = replica` does not pass them.
CREATE FUNCTION refuse_change_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'append_only';
END $$;

-- When a row was written is the database's word, not the writer's. The column is named by the trigger.
CREATE FUNCTION stamp_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RETURN jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], clock_timestamp()));
END $$;
