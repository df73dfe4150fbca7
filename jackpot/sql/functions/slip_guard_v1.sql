-- A slip is paid what it is in coins, not by who signed the award; it is cancelled as people have approved, and open again only where
-- exactly this payment was taken back.
CREATE OR REPLACE FUNCTION slip_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keep text[] := ARRAY['state', 'paid_at', 'paid_by_id', 'cash_minor', 'cancelled_at', 'cancelled_as', 'reason'];
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep
        OR OLD.state || '>' || NEW.state NOT IN ('open>paid', 'open>cancelled', 'paid>cancelled', 'paid>open')
        OR (NEW.state = 'cancelled' AND ((OLD.paid_at, OLD.paid_by_id, OLD.cash_minor) IS DISTINCT FROM
                (NEW.paid_at, NEW.paid_by_id, NEW.cash_minor)
            OR NOT EXISTS (SELECT FROM public.payouts_approval a WHERE a.house_id = OLD.house_id AND a.action = 'jackpot.award_cancel'
                           AND a.state = 'used' AND a.subject_id = OLD.id::text AND a.payload ->> 'how' = NEW.cancelled_as)))
        OR (NEW.state = 'paid' AND NOT EXISTS (
            SELECT FROM public.jackpot_award a WHERE a.id = OLD.award_id AND abs(a.amount_minor - NEW.cash_minor) <= 2
                AND NOT EXISTS (SELECT FROM public.payouts_approvalsignature s
                                WHERE s.approval_id = a.approval_id AND s.signer_id = NEW.paid_by_id)))
        OR (NEW.state = 'open' AND (num_nonnulls(NEW.paid_at, NEW.paid_by_id, NEW.cash_minor) > 0
            OR (NEW.cancelled_at, NEW.cancelled_as, NEW.reason) IS DISTINCT FROM (OLD.cancelled_at, OLD.cancelled_as, OLD.reason)
            OR NOT EXISTS (SELECT FROM public.jackpot_takenback b WHERE b.slip_id = OLD.id
                AND (b.paid_at, b.paid_by_id, b.cash_minor) = (OLD.paid_at, OLD.paid_by_id, OLD.cash_minor))))
    THEN
        RAISE EXCEPTION 'slip %: % refused', OLD.number, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_slip', CONSTRAINT = 'slip_guard';
    END IF;
    IF NEW.state = 'paid' THEN
        NEW.paid_at := clock_timestamp();
    ELSIF NEW.state = 'cancelled' THEN
        NEW.cancelled_at := clock_timestamp();
    END IF;
    RETURN NEW;
END $$;
