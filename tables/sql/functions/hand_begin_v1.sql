-- A hand ends at a table whose tray nobody counts.
CREATE OR REPLACE FUNCTION hand_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF tray_frozen_v1(NEW.table_id) THEN
        RAISE EXCEPTION 'the tray of table % is being counted', NEW.table_id
            USING ERRCODE = 'check_violation', TABLE = 'tables_hand',
                CONSTRAINT = 'table_being_counted';
    END IF;
    RETURN NEW;
END $$;
