-- A claim is decided while its hit is looked at, by who neither dealt nor made it, and stays as it is when the hit is over.
CREATE OR REPLACE FUNCTION claim_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keep text[] := ARRAY['state', 'box', 'guest_id', 'dealers', 'checklist', 'decided_by_id', 'decided_at', 'reason'];
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep OR OLD.state = 'dropped'
        OR (NEW.state = 'called' AND OLD.state <> 'called')
        OR NOT NEW.dealers @> OLD.dealers
        OR (NEW.state <> 'dropped' AND NOT claim_coin_v1(NEW.round_id, NEW.table_id, NEW.box, NEW.guest_id))
        OR (NEW.state IN ('verified', 'refused') AND (NEW.decided_by_id IS NULL OR NEW.decided_by_id = ANY(NEW.dealers)
            OR NEW.decided_by_id = NEW.made_by_id
            OR (NEW.box, NEW.guest_id) IS DISTINCT FROM (OLD.box, OLD.guest_id)))
        OR (NEW.state = 'refused' AND length(NEW.reason) < 3)
        OR NOT EXISTS (SELECT FROM public.jackpot_hit h WHERE h.id = OLD.hit_id
                       AND (h.state = 'verifying' OR h.state = 'draining' AND NEW.state NOT IN ('verified', 'refused')))
    THEN
        RAISE EXCEPTION 'claim %: % refused', OLD.id, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_claim', CONSTRAINT = 'claim_guard';
    END IF;
    NEW.decided_at := CASE WHEN NEW.state IN ('verified', 'refused', 'dropped') THEN clock_timestamp() END;
    RETURN NEW;
END $$;

-- Nobody who dealt a claiming round, or is an author of what it says, signs the payment or rejection of its hit, or its prize: the
-- request says so when it is made.
CREATE FUNCTION award_excludes_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    took uuid[] := '{}';
BEGIN
    IF NEW.action IN ('jackpot.award', 'jackpot.reject') AND NEW.subject_kind = 'hit' THEN
        took := ARRAY(SELECT DISTINCT unnest(c.dealers) FROM public.jackpot_claim c
                      WHERE c.hit_id = NEW.subject_id::uuid AND c.state <> 'dropped');
    ELSIF NEW.action = 'jackpot.prize' AND NEW.subject_kind = 'prize' THEN
        took := ARRAY(SELECT DISTINCT unnest(p.dealers) FROM public.jackpot_waitingprize p WHERE p.id = NEW.subject_id::uuid);
    END IF;
    IF NOT NEW.excluded @> took THEN
        RAISE EXCEPTION 'approval % lets somebody sign who took part in it', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approval', CONSTRAINT = 'award_excludes';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER award_excludes BEFORE INSERT ON public.payouts_approval
    FOR EACH ROW EXECUTE FUNCTION award_excludes_v1();
ALTER TABLE public.payouts_approval ENABLE ALWAYS TRIGGER award_excludes;
