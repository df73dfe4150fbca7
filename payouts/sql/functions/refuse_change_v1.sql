-- Rows of an append-only table never change and never go (design rule: a correction is a reversal plus a new entry).
-- The triggers that call this are ENABLE ALWAYS: `session_replication_role = replica` does not pass them.
CREATE OR REPLACE FUNCTION refuse_change_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'append_only';
END $$;
