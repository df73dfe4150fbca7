-- And the slip is open again when the transaction ends.
CREATE OR REPLACE FUNCTION taken_back_opens_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM public.jackpot_slip s WHERE s.id = NEW.slip_id AND s.paid_at = NEW.paid_at) THEN
        RAISE EXCEPTION 'slip % is still paid', NEW.slip_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_takenback', CONSTRAINT = 'taken_back_opens';
    END IF;
    RETURN NULL;
END $$;
