-- A payment is taken back once, by who made it, within the minute, and its transfer with it. So the slip is to be paid again.
CREATE OR REPLACE FUNCTION taken_back_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF length(NEW.reason) < 3 OR NOT public.slip_fresh_v1(NEW.slip_id) OR NOT EXISTS (
        SELECT FROM public.jackpot_slip s
            JOIN public.payouts_transfer paid ON paid.house_id = s.house_id AND paid.key = 'award:' || s.award_id || ':slip_paid'
            JOIN public.payouts_transfer back ON back.reverses_id = paid.id
        WHERE s.id = NEW.slip_id AND back.id = NEW.transfer_id
            AND (s.house_id, s.paid_at, s.paid_by_id, s.cash_minor) = (NEW.house_id, NEW.paid_at, NEW.paid_by_id, NEW.cash_minor))
    THEN
        RAISE EXCEPTION 'the payment of slip % is not taken back so', NEW.slip_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_takenback', CONSTRAINT = 'taken_back';
    END IF;
    RETURN NEW;
END $$;
