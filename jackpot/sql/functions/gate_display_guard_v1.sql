-- A display confirms the gate's amount, by its digits, or is taken out when it is required no more; while the gate waits, and once. The
-- last one cannot be taken out, only replaced.
CREATE OR REPLACE FUNCTION gate_display_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keep text[] := ARRAY['state', 'at', 'shown', 'reason'];
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep OR OLD.state <> 'waiting'
        OR NEW.state NOT IN ('confirmed', 'out') OR (NEW.state = 'out' AND length(NEW.reason) < 3)
        OR NOT EXISTS (SELECT FROM public.jackpot_gate g WHERE g.id = OLD.gate_id AND g.state = 'open' AND (NEW.state = 'out'
                       OR regexp_replace(NEW.shown, '[^0-9]', '', 'g') = lpad(g.amount_minor::text, greatest(3, length(g.amount_minor::text)), '0')))
        OR (NEW.state = 'out' AND (
            NOT EXISTS (SELECT FROM public.jackpot_gatedisplay d WHERE d.gate_id = OLD.gate_id AND d.id <> OLD.id AND d.state <> 'out')
            OR EXISTS (SELECT FROM public.jackpot_requireddisplay r JOIN public.jackpot_gate g ON g.jackpot_id = r.jackpot_id
                       WHERE g.id = OLD.gate_id AND r.display_id = OLD.display_id AND r.ended_at IS NULL)))
    THEN
        RAISE EXCEPTION 'display % of gate %: % refused', OLD.display_id, OLD.gate_id, coalesce(NEW.state, TG_OP)
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_gatedisplay', CONSTRAINT = 'gate_display_guard';
    END IF;
    NEW.at := clock_timestamp();
    RETURN NEW;
END $$;
