-- No chip moves while a house is counted for the first time: every table is closed, and no guest of
-- a poker table stays.
CREATE OR REPLACE FUNCTION inventory_tables_closed_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM public.tables_table
            WHERE house_id = NEW.house_id AND session_id IS NOT NULL)
        OR EXISTS (SELECT FROM public.tables_pokerstay
            WHERE house_id = NEW.house_id AND left_at IS NULL)
    THEN
        RAISE EXCEPTION 'chips of house % may still move', NEW.house_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_inventory',
                CONSTRAINT = 'inventory_tables_closed';
    END IF;
    RETURN NEW;
END $$;
