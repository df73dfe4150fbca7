-- For guarded tables: only the named columns of a row may change, and none once the row is finished; no row goes.
-- Arguments: the column that finishes a row when it is set ('' for none), then the columns that may change.
CREATE OR REPLACE FUNCTION keep_columns_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR (to_jsonb(OLD) ->> TG_ARGV[0]) IS NOT NULL OR to_jsonb(OLD) - TG_ARGV[1:] <> to_jsonb(NEW) - TG_ARGV[1:] THEN
        RAISE EXCEPTION '%: % refused', TG_TABLE_NAME, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
    END IF;
    RETURN NEW;
END $$;
