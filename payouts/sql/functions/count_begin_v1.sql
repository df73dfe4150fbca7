-- A count begins begun, and neither signed nor given up.
CREATE OR REPLACE FUNCTION count_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'begun' THEN
        RAISE EXCEPTION 'count % does not begin begun', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_count', CONSTRAINT = 'count_begin';
    END IF;
    RETURN NEW;
END $$;
