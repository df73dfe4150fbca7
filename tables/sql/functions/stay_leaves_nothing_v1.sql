-- A guest who leaves leaves no booked chips.
CREATE OR REPLACE FUNCTION stay_leaves_nothing_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM public.payouts_account a
        WHERE a.owner_id = (SELECT s.table_id FROM public.tables_guest g
                JOIN public.tables_tablesession s ON s.id = g.session_id WHERE g.id = NEW.guest_id)
            AND a.kind = 'stack' AND a.detail_id = NEW.guest_id AND a.balance_minor <> 0)
    THEN
        RAISE EXCEPTION 'stay %: chips are booked before its guest', NEW.guest_id
            USING ERRCODE = 'check_violation', TABLE = 'tables_pokerstay',
                CONSTRAINT = 'stay_leaves_nothing';
    END IF;
    RETURN NULL;
END $$;
