-- Hits, their lists and claims. The app decides under the exclusive lock; what stands here holds whatever it decides.

-- A hit begins in the running epoch of a jackpot that has none at hand, and lists its rounds before it is taken at hand; it claims later.
CREATE FUNCTION hit_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'draining' OR NOT EXISTS (SELECT FROM public.jackpot_jackpot j WHERE j.id = NEW.jackpot_id AND j.hit_id IS NULL
                                              AND (j.house_id, j.epoch_id) = (NEW.house_id, NEW.epoch_id))
    THEN
        RAISE EXCEPTION 'hit % does not begin', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_hit', CONSTRAINT = 'hit_begin';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER hit_begin BEFORE INSERT ON public.jackpot_hit
    FOR EACH ROW EXECUTE FUNCTION hit_begin_v1();
ALTER TABLE public.jackpot_hit ENABLE ALWAYS TRIGGER hit_begin;

-- The list is made when the hit begins, and is whole when the hit is taken at hand: nothing is put on it later (PRG-8).
CREATE FUNCTION listed_round_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.jackpot_hit h JOIN public.jackpot_jackpot j ON j.id = h.jackpot_id
                   WHERE h.id = NEW.hit_id AND h.house_id = NEW.house_id AND h.state = 'draining' AND j.hit_id IS NULL)
    THEN
        RAISE EXCEPTION 'the list of hit % is closed', NEW.hit_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_listedround', CONSTRAINT = 'listed_round_begin';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER listed_round_begin BEFORE INSERT ON public.jackpot_listedround
    FOR EACH ROW EXECUTE FUNCTION listed_round_begin_v1();
ALTER TABLE public.jackpot_listedround ENABLE ALWAYS TRIGGER listed_round_begin;

-- Whether people have approved, and not used elsewhere, the payment of exactly the claims of a hit that stand: every claim is decided,
-- and the verified ones are those of the newest split.
CREATE FUNCTION hit_approved_v1(p_hit uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM public.jackpot_split s JOIN public.payouts_approval a ON a.house_id = s.house_id
            AND a.action = 'jackpot.award' AND a.state = 'used' AND a.subject_id = p_hit::text AND a.revision = s.revision
        WHERE s.hit_id = p_hit AND s.revision = (SELECT max(o.revision) FROM public.jackpot_split o WHERE o.hit_id = p_hit)
            AND NOT EXISTS (SELECT FROM public.jackpot_claim c FULL JOIN public.jackpot_share h ON h.claim_id = c.id AND h.split_id = s.id
                            WHERE (c.hit_id = p_hit OR h.split_id = s.id) AND (c.state IN ('called', 'open')
                                OR (c.state = 'verified') IS DISTINCT FROM (h.id IS NOT NULL))))
$$;

-- A hit goes forward: draining, verifying, and an end; paid by an approval of what stands, rejected by one when nothing stands.
CREATE FUNCTION hit_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    step text := OLD.state || '>' || NEW.state;
    keep text[] := ARRAY['state', 'drained_at', 'ended_at', 'reason'];
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep
        OR step NOT IN ('draining>verifying', 'verifying>paid', 'verifying>rejected')
        OR (NEW.state = 'verifying' AND EXISTS (
            SELECT FROM public.jackpot_listedround l JOIN public.jackpot_runninground r ON r.round_id = l.round_id
            WHERE l.hit_id = OLD.id AND r.ended_at IS NULL))
        OR (NEW.state = 'paid' AND NOT hit_approved_v1(OLD.id))
        OR (NEW.state = 'rejected' AND (length(NEW.reason) < 3
            OR EXISTS (SELECT FROM public.jackpot_claim c WHERE c.hit_id = OLD.id AND c.state IN ('called', 'open', 'verified'))
            OR NOT EXISTS (SELECT FROM public.payouts_approval a WHERE a.house_id = NEW.house_id AND a.action = 'jackpot.reject'
                           AND a.state = 'used' AND a.subject_id = NEW.id::text)))
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

-- A claim begins undecided, in a running hit; its box had a coin of its guest (PRG-3).
CREATE FUNCTION claim_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state NOT IN ('called', 'open') OR NEW.decided_by_id IS NOT NULL OR NEW.decided_at IS NOT NULL
        OR NOT claim_coin_v1(NEW.round_id, NEW.table_id, NEW.box, NEW.guest_id)
        OR NOT EXISTS (SELECT FROM public.jackpot_hit h WHERE h.id = NEW.hit_id AND h.house_id = NEW.house_id
                       AND h.state IN ('draining', 'verifying'))
    THEN
        RAISE EXCEPTION 'claim % does not begin', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_claim', CONSTRAINT = 'claim_begin';
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION claim_coin_v1(p_round uuid, p_table uuid, p_box int, p_guest uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM public.jackpot_runninground r WHERE r.round_id = p_round AND r.table_id = p_table AND r.coins <> '{}'
                   AND (p_box IS NULL OR r.coins ->> p_box::text = p_guest::text))
$$;
CREATE TRIGGER claim_begin BEFORE INSERT ON public.jackpot_claim
    FOR EACH ROW EXECUTE FUNCTION claim_begin_v1();
ALTER TABLE public.jackpot_claim ENABLE ALWAYS TRIGGER claim_begin;

-- A claim is decided while its hit is looked at, by who did not deal it, and stays as it is when the hit is over.
CREATE FUNCTION claim_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keep text[] := ARRAY['state', 'box', 'guest_id', 'dealers', 'checklist', 'decided_by_id', 'decided_at', 'reason'];
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep OR OLD.state = 'dropped'
        OR (NEW.state = 'called' AND OLD.state <> 'called')
        OR NOT NEW.dealers @> OLD.dealers
        OR (NEW.state <> 'dropped' AND NOT claim_coin_v1(NEW.round_id, NEW.table_id, NEW.box, NEW.guest_id))
        OR (NEW.state IN ('verified', 'refused') AND (NEW.decided_by_id IS NULL OR NEW.decided_by_id = ANY(NEW.dealers)
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
CREATE TRIGGER claim_guard BEFORE UPDATE OR DELETE ON public.jackpot_claim
    FOR EACH ROW EXECUTE FUNCTION claim_guard_v1();
ALTER TABLE public.jackpot_claim ENABLE ALWAYS TRIGGER claim_guard;
