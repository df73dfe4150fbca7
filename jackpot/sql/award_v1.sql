-- Splits, awards, slips.

-- A split is made while its hit is looked at, of verified claims, and adds up when the transaction ends.
CREATE FUNCTION split_of_verifying_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.jackpot_hit h WHERE h.id = NEW.hit_id AND h.house_id = NEW.house_id AND h.state = 'verifying')
        OR NEW.revision <> 1 + (SELECT coalesce(max(s.revision), 0) FROM public.jackpot_split s WHERE s.hit_id = NEW.hit_id)
    THEN
        RAISE EXCEPTION 'hit % takes no split', NEW.hit_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_split', CONSTRAINT = 'split_of_verifying';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER split_of_verifying BEFORE INSERT ON public.jackpot_split
    FOR EACH ROW EXECUTE FUNCTION split_of_verifying_v1();
ALTER TABLE public.jackpot_split ENABLE ALWAYS TRIGGER split_of_verifying;

CREATE FUNCTION share_of_verified_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.jackpot_claim c JOIN public.jackpot_split s ON s.hit_id = c.hit_id
                   WHERE c.id = NEW.claim_id AND s.id = NEW.split_id AND c.state = 'verified' AND s.house_id = NEW.house_id)
    THEN
        RAISE EXCEPTION 'claim % is not verified in this hit', NEW.claim_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_share', CONSTRAINT = 'share_of_verified';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER share_of_verified BEFORE INSERT ON public.jackpot_share
    FOR EACH ROW EXECUTE FUNCTION share_of_verified_v1();
ALTER TABLE public.jackpot_share ENABLE ALWAYS TRIGGER share_of_verified;

CREATE FUNCTION split_shares_add_up_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    split bigint := to_jsonb(NEW) ->> TG_ARGV[0];
BEGIN
    IF EXISTS (SELECT FROM public.jackpot_split s WHERE s.id = split AND s.won_minor - s.remainder_minor
               <> (SELECT coalesce(sum(h.share_minor), 0) FROM public.jackpot_share h WHERE h.split_id = s.id))
    THEN
        RAISE EXCEPTION 'the shares of split % do not add up', split
            USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER split_shares_add_up AFTER INSERT ON public.jackpot_split DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION split_shares_add_up_v1('id');
ALTER TABLE public.jackpot_split ENABLE ALWAYS TRIGGER split_shares_add_up;
-- And none is added to a split of an earlier transaction.
CREATE CONSTRAINT TRIGGER shares_add_up AFTER INSERT ON public.jackpot_share DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION split_shares_add_up_v1('split_id');
ALTER TABLE public.jackpot_share ENABLE ALWAYS TRIGGER shares_add_up;

-- An award is what an approval allowed that was used for it, and is posted: a share of a paid hit's newest split, a prize that waits, or
-- what the late truth asks for.
CREATE FUNCTION award_approved_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    posted text := CASE NEW.kind WHEN 'share' THEN 'hit:' || NEW.hit_id || ':award' ELSE 'award:' || NEW.id END;
    used public.payouts_approval;
    found_it boolean;
BEGIN
    SELECT * INTO used FROM public.payouts_approval a WHERE a.id = NEW.approval_id AND a.house_id = NEW.house_id AND a.state = 'used';
    found_it := CASE NEW.kind || ' ' || used.action
        WHEN 'share jackpot.award' THEN used.subject_id = NEW.hit_id::text AND EXISTS (
            SELECT FROM public.jackpot_hit t JOIN public.jackpot_split s ON s.hit_id = t.id JOIN public.jackpot_share h ON h.split_id = s.id
                JOIN public.jackpot_claim c ON c.id = h.claim_id
            WHERE t.id = NEW.hit_id AND t.state = 'paid' AND t.jackpot_id = NEW.jackpot_id AND h.claim_id = NEW.claim_id
                AND h.share_minor = NEW.amount_minor AND s.revision = used.revision
                AND (c.round_id, c.table_id, c.box, c.guest_id) = (NEW.round_id, NEW.table_id, NEW.box, NEW.guest_id)
                AND s.revision = (SELECT max(o.revision) FROM public.jackpot_split o WHERE o.hit_id = NEW.hit_id))
        WHEN 'late jackpot.award_late' THEN used.subject_id = NEW.round_id::text
            AND used.payload @> jsonb_build_object('jackpot', NEW.jackpot_id, 'hit', NEW.hit_id, 'round', NEW.round_id,
                'table', NEW.table_id, 'box', NEW.box, 'guest', NEW.guest_id, 'amount_minor', NEW.amount_minor)
        WHEN 'prize jackpot.prize' THEN used.subject_id = NEW.prize_id::text
        WHEN 'prize jackpot.award' THEN EXISTS (
            SELECT FROM public.jackpot_listedround l WHERE l.hit_id::text = used.subject_id AND l.round_id = NEW.round_id)
        END;
    IF found_it IS NOT TRUE
        OR NOT EXISTS (SELECT FROM public.payouts_transfer t WHERE t.id = NEW.transfer_id AND t.house_id = NEW.house_id AND t.key = posted)
        OR (NEW.kind = 'prize' AND NOT EXISTS (
            SELECT FROM public.jackpot_waitingprize p WHERE p.id = NEW.prize_id AND p.state = 'waiting'
                AND (p.house_id, p.jackpot_id, p.round_id, p.table_id, p.box, p.guest_id, p.amount_minor)
                    = (NEW.house_id, NEW.jackpot_id, NEW.round_id, NEW.table_id, NEW.box, NEW.guest_id, NEW.amount_minor)))
    THEN
        RAISE EXCEPTION 'award % was not approved', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_award', CONSTRAINT = 'award_approved';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER award_approved BEFORE INSERT ON public.jackpot_award
    FOR EACH ROW EXECUTE FUNCTION award_approved_v1();
ALTER TABLE public.jackpot_award ENABLE ALWAYS TRIGGER award_approved;

-- Slips are numbered without a gap: whoever makes one waits for whoever makes the one before.
CREATE FUNCTION slip_number_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('slips:' || NEW.house_id::text, 0));
    NEW.number := 1 + (SELECT coalesce(max(s.number), 0) FROM public.jackpot_slip s WHERE s.house_id = NEW.house_id);
    IF NEW.state <> 'open'
        OR NOT EXISTS (SELECT FROM public.jackpot_award a WHERE a.id = NEW.award_id AND a.house_id = NEW.house_id)
    THEN
        RAISE EXCEPTION 'slip % does not begin open', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_slip', CONSTRAINT = 'slip_number';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER slip_number BEFORE INSERT ON public.jackpot_slip
    FOR EACH ROW EXECUTE FUNCTION slip_number_v1();
ALTER TABLE public.jackpot_slip ENABLE ALWAYS TRIGGER slip_number;

-- A slip is paid once: what it is in coins, not by who signed the award; it is cancelled as people have approved.
CREATE FUNCTION slip_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keep text[] := ARRAY['state', 'paid_at', 'paid_by_id', 'cash_minor', 'cancelled_at', 'cancelled_as', 'reason'];
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep
        OR OLD.state || '>' || NEW.state NOT IN ('open>paid', 'open>cancelled', 'paid>cancelled')
        OR (NEW.state = 'cancelled' AND ((OLD.paid_at, OLD.paid_by_id, OLD.cash_minor) IS DISTINCT FROM
                (NEW.paid_at, NEW.paid_by_id, NEW.cash_minor)
            OR NOT EXISTS (SELECT FROM public.payouts_approval a WHERE a.house_id = OLD.house_id AND a.action = 'jackpot.award_cancel'
                           AND a.state = 'used' AND a.subject_id = OLD.id::text AND a.payload ->> 'how' = NEW.cancelled_as)))
        OR (NEW.state = 'paid' AND NOT EXISTS (
            SELECT FROM public.jackpot_award a WHERE a.id = OLD.award_id AND abs(a.amount_minor - NEW.cash_minor) <= 2
                AND NOT EXISTS (SELECT FROM public.payouts_approvalsignature s
                                WHERE s.approval_id = a.approval_id AND s.signer_id = NEW.paid_by_id)))
    THEN
        RAISE EXCEPTION 'slip %: % refused', OLD.number, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_slip', CONSTRAINT = 'slip_guard';
    END IF;
    IF NEW.state = 'paid' THEN
        NEW.paid_at := clock_timestamp();
    ELSE
        NEW.cancelled_at := clock_timestamp();
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER slip_guard BEFORE UPDATE OR DELETE ON public.jackpot_slip
    FOR EACH ROW EXECUTE FUNCTION slip_guard_v1();
ALTER TABLE public.jackpot_slip ENABLE ALWAYS TRIGGER slip_guard;
