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
