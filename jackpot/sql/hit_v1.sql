-- Hits, their lists and claims. The app decides under the exclusive lock; what stands here holds whatever it decides.

-- A hit goes forward: draining, verifying, and an end; paid only by an approval of its newest split that was used.
CREATE FUNCTION hit_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    step text := OLD.state || '>' || NEW.state;
    keep text[] := ARRAY['state', 'drained_at', 'ended_at', 'reason'];
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep
        OR step NOT IN ('draining>verifying', 'verifying>paid', 'verifying>rejected')
        OR (NEW.state = 'rejected' AND length(NEW.reason) < 3)
        OR (NEW.state = 'paid' AND NOT EXISTS (
            SELECT FROM public.payouts_approval a WHERE a.house_id = NEW.house_id AND a.action = 'jackpot.award' AND a.state = 'used'
                AND a.subject_id = NEW.id::text
                AND a.revision = (SELECT max(s.revision) FROM public.jackpot_split s WHERE s.hit_id = NEW.id)))
        OR (NEW.state = 'rejected' AND NOT EXISTS (
            SELECT FROM public.payouts_approval a WHERE a.house_id = NEW.house_id AND a.action = 'jackpot.reject' AND a.state = 'used'
                AND a.subject_id = NEW.id::text))
    THEN
        RAISE EXCEPTION 'hit %: % refused', OLD.id, coalesce(step, TG_OP)
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_hit', CONSTRAINT = 'hit_guard';
    END IF;
    IF NEW.state = 'verifying' THEN
        NEW.drained_at := clock_timestamp();
    ELSE
        NEW.ended_at := clock_timestamp();
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER hit_guard BEFORE UPDATE OR DELETE ON public.jackpot_hit
    FOR EACH ROW EXECUTE FUNCTION hit_guard_v1();
ALTER TABLE public.jackpot_hit ENABLE ALWAYS TRIGGER hit_guard;

-- Only listed rounds claim.
ALTER TABLE public.jackpot_claim ADD CONSTRAINT claim_of_listed_round
    FOREIGN KEY (hit_id, round_id) REFERENCES public.jackpot_listedround (hit_id, round_id);

-- A claim is decided while its hit runs, and never again.
CREATE FUNCTION claim_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keep text[] := ARRAY['state', 'box', 'guest_id', 'dealers', 'checklist', 'decided_by_id', 'decided_at', 'reason'];
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep OR OLD.state = 'dropped'
        OR (NEW.state = 'called' AND OLD.state <> 'called')
        OR (NEW.state = 'verified' AND NEW.decided_by_id IS NULL)
        OR (NEW.state = 'refused' AND (NEW.decided_by_id IS NULL OR length(NEW.reason) < 3))
        OR NOT EXISTS (SELECT FROM public.jackpot_hit h WHERE h.id = OLD.hit_id AND h.state IN ('draining', 'verifying'))
    THEN
        RAISE EXCEPTION 'claim %: % refused', OLD.id, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_claim', CONSTRAINT = 'claim_guard';
    END IF;
    NEW.decided_at := CASE WHEN NEW.state IN ('verified', 'refused', 'dropped') THEN clock_timestamp() END;
    RETURN NEW;
END $$;
CREATE TRIGGER claim_guard BEFORE UPDATE OR DELETE ON public.jackpot_claim
    FOR EACH ROW EXECUTE FUNCTION claim_guard_v1();
ALTER TABLE public.jackpot_claim ENABLE ALWAYS TRIGGER claim_guard;
