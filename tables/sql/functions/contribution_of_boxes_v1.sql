-- A table feeds the meter with a coin for each of its boxes at most: whatever writes it, more cannot be (PRG-1).
CREATE OR REPLACE FUNCTION contribution_of_boxes_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF abs(NEW.coins) > coalesce((SELECT t.boxes FROM public.tables_table t WHERE t.id = NEW.table_id AND t.house_id = NEW.house_id), 0)
    THEN
        RAISE EXCEPTION 'table % has not % boxes', NEW.table_id, NEW.coins
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_contribution', CONSTRAINT = 'contribution_of_boxes';
    END IF;
    RETURN NEW;
END $$;
