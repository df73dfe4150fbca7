-- A table feeds the meter with a coin for each of its boxes at most, in the version under which the
-- round is played: whatever writes it, more cannot be (PRG-1).
CREATE OR REPLACE FUNCTION contribution_of_boxes_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF abs(NEW.coins) > coalesce((SELECT v.boxes FROM public.tables_round r
            JOIN public.tables_tablesession s ON s.id = r.session_id
            JOIN public.tables_tableversion v
                ON (v.table_id, v.number) = (s.table_id, s.table_version)
            WHERE (r.id, r.table_id, r.house_id) = (NEW.round_id, NEW.table_id, NEW.house_id)), 0)
    THEN
        RAISE EXCEPTION 'table % has not % boxes', NEW.table_id, NEW.coins
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_contribution',
                CONSTRAINT = 'contribution_of_boxes';
    END IF;
    RETURN NEW;
END $$;
