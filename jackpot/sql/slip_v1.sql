-- Whether a payment was made a moment ago: by the clock, and by the log, in which nothing that came after it lies beyond the minute.
-- A clock that was set back, or on, makes nothing last longer.
CREATE FUNCTION slip_fresh_v1(slip uuid) RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT EXISTS (
        SELECT FROM public.jackpot_slip s WHERE s.id = slip AND s.state = 'paid'
            AND abs(extract(epoch FROM clock_timestamp() - s.paid_at)) <= 60
            AND NOT EXISTS (
                SELECT FROM public.payouts_event paid JOIN public.payouts_event later ON later.id > paid.id
                WHERE (paid.subject_kind, paid.subject_id, paid.name) = ('slip', s.id::text, 'slip.paid')
                    AND later.at > s.paid_at + interval '60 seconds'))
$$;

-- A payment is taken back once, by who made it, within the minute, and its transfer with it. So the slip is to be paid again.
CREATE FUNCTION taken_back_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER taken_back BEFORE INSERT ON public.jackpot_takenback
    FOR EACH ROW EXECUTE FUNCTION taken_back_v1();
ALTER TABLE public.jackpot_takenback ENABLE ALWAYS TRIGGER taken_back;

-- And the slip is open again when the transaction ends.
CREATE FUNCTION taken_back_opens_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM public.jackpot_slip s WHERE s.id = NEW.slip_id AND s.paid_at = NEW.paid_at) THEN
        RAISE EXCEPTION 'slip % is still paid', NEW.slip_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_takenback', CONSTRAINT = 'taken_back_opens';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER taken_back_opens AFTER INSERT ON public.jackpot_takenback DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION taken_back_opens_v1();
ALTER TABLE public.jackpot_takenback ENABLE ALWAYS TRIGGER taken_back_opens;

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
