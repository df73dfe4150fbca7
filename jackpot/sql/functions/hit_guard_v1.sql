-- A hit goes forward: draining, verifying, and an end; paid by an approval of what stands, rejected by one when nothing stands.
CREATE OR REPLACE FUNCTION hit_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
