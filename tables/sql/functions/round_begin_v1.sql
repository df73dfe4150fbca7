CREATE OR REPLACE FUNCTION round_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state NOT IN ('locked', 'withdrawn') OR NEW.revision <> 0 THEN
        RAISE EXCEPTION 'round % does not begin locked', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'tables_round', CONSTRAINT = 'round_begin';
    END IF;
    IF NEW.state = 'locked' AND tray_frozen_v1(NEW.table_id) THEN
        RAISE EXCEPTION 'the tray of table % is being counted', NEW.table_id
            USING ERRCODE = 'check_violation', TABLE = 'tables_round',
                CONSTRAINT = 'table_being_counted';
    END IF;
    NEW.locked_at := clock_timestamp();
    NEW.ended_at := CASE NEW.state WHEN 'withdrawn' THEN NEW.locked_at END;
    RETURN NEW;
END $$;
