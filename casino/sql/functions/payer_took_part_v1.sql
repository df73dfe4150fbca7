CREATE OR REPLACE FUNCTION payer_took_part_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state = 'paid' AND OLD.state <> 'paid' AND took_part_in_award_v1(NEW.award_id,
        NEW.paid_by_id) THEN
        RAISE EXCEPTION 'slip %: who pays it took part in its award', NEW.number
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_slip',
                CONSTRAINT = 'payer_took_part';
    END IF;
    RETURN NEW;
END $$;
