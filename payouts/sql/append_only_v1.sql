-- Rows of an append-only table never change and never go (design rule: a correction is a reversal plus a new entry).
-- The triggers that call this are ENABLE ALWAYS: `session_replication_role = replica` does not pass them.
CREATE FUNCTION refuse_change_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'append_only';
END $$;

-- Makes one table append-only; called after every migration for each model that says so, hence repeatable.
CREATE FUNCTION make_append_only_v1(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE OR REPLACE TRIGGER append_only_row BEFORE UPDATE OR DELETE ON %s
                    FOR EACH ROW EXECUTE FUNCTION refuse_change_v1()', target);
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER append_only_row', target);
    PERFORM refuse_truncate_v1(target);
END $$;

-- A row trigger does not see TRUNCATE; this one does. Also for tables whose rows may change in named ways.
CREATE FUNCTION refuse_truncate_v1(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE OR REPLACE TRIGGER append_only_truncate BEFORE TRUNCATE ON %s
                    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_v1()', target);
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER append_only_truncate', target);
END $$;
