CREATE OR REPLACE FUNCTION payer_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state = 'paid' AND OLD.state <> 'paid' THEN
        PERFORM refuse_resting_v2(NEW.paid_by_id, NEW.house_id, 'slip', 'jackpot_slip');
    END IF;
    RETURN NEW;
END $$;
