-- The gate: tables open when every display on its frozen list shows the value.

CREATE TRIGGER required_display_guard BEFORE UPDATE OR DELETE ON public.jackpot_requireddisplay
    FOR EACH ROW EXECUTE FUNCTION keep_columns_v1('ended_at', 'ended_at', 'reason');
ALTER TABLE public.jackpot_requireddisplay ENABLE ALWAYS TRIGGER required_display_guard;

-- A gate is passed when nobody on its list waits and at least one display confirmed.
CREATE FUNCTION gate_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keep text[] := ARRAY['state', 'ended_at'];
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep OR OLD.state <> 'open' OR NEW.state NOT IN ('passed', 'lapsed')
        OR (NEW.state = 'passed' AND (
            EXISTS (SELECT FROM public.jackpot_gatedisplay d WHERE d.gate_id = OLD.id AND d.state = 'waiting')
            OR NOT EXISTS (SELECT FROM public.jackpot_gatedisplay d WHERE d.gate_id = OLD.id AND d.state = 'confirmed')))
    THEN
        RAISE EXCEPTION 'gate %: % refused', OLD.number, coalesce(NEW.state, TG_OP)
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_gate', CONSTRAINT = 'gate_guard';
    END IF;
    NEW.ended_at := clock_timestamp();
    RETURN NEW;
END $$;
CREATE TRIGGER gate_guard BEFORE UPDATE OR DELETE ON public.jackpot_gate
    FOR EACH ROW EXECUTE FUNCTION gate_guard_v1();
ALTER TABLE public.jackpot_gate ENABLE ALWAYS TRIGGER gate_guard;

-- A display confirms or is taken out while the gate waits, once; the last one cannot be taken out, only replaced.
CREATE FUNCTION gate_display_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keep text[] := ARRAY['state', 'at', 'shown', 'reason'];
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep OR OLD.state <> 'waiting'
        OR NEW.state NOT IN ('confirmed', 'out') OR (NEW.state = 'out' AND length(NEW.reason) < 3)
        OR NOT EXISTS (SELECT FROM public.jackpot_gate g WHERE g.id = OLD.gate_id AND g.state = 'open')
        OR (NEW.state = 'out' AND NOT EXISTS (SELECT FROM public.jackpot_gatedisplay d
                                              WHERE d.gate_id = OLD.gate_id AND d.id <> OLD.id AND d.state <> 'out'))
    THEN
        RAISE EXCEPTION 'display % of gate %: % refused', OLD.display_id, OLD.gate_id, coalesce(NEW.state, TG_OP)
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_gatedisplay', CONSTRAINT = 'gate_display_guard';
    END IF;
    NEW.at := clock_timestamp();
    RETURN NEW;
END $$;
CREATE TRIGGER gate_display_guard BEFORE UPDATE OR DELETE ON public.jackpot_gatedisplay
    FOR EACH ROW EXECUTE FUNCTION gate_display_guard_v1();
ALTER TABLE public.jackpot_gatedisplay ENABLE ALWAYS TRIGGER gate_display_guard;
