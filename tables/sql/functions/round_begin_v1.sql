CREATE OR REPLACE FUNCTION round_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state NOT IN ('locked', 'withdrawn') OR NEW.revision <> 0 THEN
        RAISE EXCEPTION 'round % does not begin locked', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'tables_round', CONSTRAINT = 'round_begin';
    END IF;
    NEW.locked_at := clock_timestamp();
    NEW.ended_at := CASE NEW.state WHEN 'withdrawn' THEN NEW.locked_at END;
    RETURN NEW;
END $$;
