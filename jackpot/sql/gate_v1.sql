-- The gate: tables open when every display on its frozen list shows the value.

-- A display is required until people have approved that it is taken out.
CREATE FUNCTION required_display_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keep text[] := ARRAY['ended_at', 'reason'];
BEGIN
    IF TG_OP = 'DELETE' OR OLD.ended_at IS NOT NULL OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep OR NOT EXISTS (
        SELECT FROM public.payouts_approval a WHERE a.house_id = OLD.house_id AND a.action = 'jackpot.display_out' AND a.state = 'used'
            AND a.closed_at >= OLD.added_at AND a.payload ->> 'jackpot' = OLD.jackpot_id::text
            AND a.payload ->> 'display' = OLD.display_id::text)
    THEN
        RAISE EXCEPTION 'display %: % refused', OLD.display_id, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_requireddisplay', CONSTRAINT = 'required_display_guard';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER required_display_guard BEFORE UPDATE OR DELETE ON public.jackpot_requireddisplay
    FOR EACH ROW EXECUTE FUNCTION required_display_guard_v1();
ALTER TABLE public.jackpot_requireddisplay ENABLE ALWAYS TRIGGER required_display_guard;

-- A gate begins open, as the next one, for what the meter holds now, while the jackpot shows.
CREATE FUNCTION gate_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'open' OR NEW.version <> meter_version_v1(NEW.jackpot_id)
        OR NEW.number <> 1 + (SELECT coalesce(max(g.number), 0) FROM public.jackpot_gate g WHERE g.jackpot_id = NEW.jackpot_id)
        OR NOT EXISTS (SELECT FROM public.jackpot_jackpot j WHERE j.id = NEW.jackpot_id AND j.house_id = NEW.house_id
                       AND 'showing' IN (j.phase, j.kept_phase))
    THEN
        RAISE EXCEPTION 'gate % does not begin', NEW.number
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_gate', CONSTRAINT = 'gate_begin';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER gate_begin BEFORE INSERT ON public.jackpot_gate
    FOR EACH ROW EXECUTE FUNCTION gate_begin_v1();
ALTER TABLE public.jackpot_gate ENABLE ALWAYS TRIGGER gate_begin;

-- A gate is passed when nobody on its list waits and every display that is required by then, at least one, has confirmed.
CREATE FUNCTION gate_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keep text[] := ARRAY['state', 'ended_at'];
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep OR OLD.state <> 'open' OR NEW.state NOT IN ('passed', 'lapsed')
        OR (NEW.state = 'passed' AND (
            EXISTS (SELECT FROM public.jackpot_gatedisplay d WHERE d.gate_id = OLD.id AND d.state = 'waiting')
            OR NOT EXISTS (SELECT FROM public.jackpot_gatedisplay d WHERE d.gate_id = OLD.id AND d.state = 'confirmed')
            OR EXISTS (SELECT FROM public.jackpot_requireddisplay r WHERE r.jackpot_id = OLD.jackpot_id AND r.ended_at IS NULL
                       AND NOT EXISTS (SELECT FROM public.jackpot_gatedisplay d
                                       WHERE d.gate_id = OLD.id AND d.display_id = r.display_id AND d.state = 'confirmed'))))
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

-- A display comes on the list of a gate that is open, and waits.
CREATE FUNCTION gate_display_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'waiting' OR NOT EXISTS (SELECT FROM public.jackpot_gate g WHERE g.id = NEW.gate_id AND g.house_id = NEW.house_id
                                             AND g.state = 'open')
    THEN
        RAISE EXCEPTION 'display % does not wait', NEW.display_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_gatedisplay', CONSTRAINT = 'gate_display_begin';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER gate_display_begin BEFORE INSERT ON public.jackpot_gatedisplay
    FOR EACH ROW EXECUTE FUNCTION gate_display_begin_v1();
ALTER TABLE public.jackpot_gatedisplay ENABLE ALWAYS TRIGGER gate_display_begin;

-- A display confirms the gate's amount, by its digits, or is taken out when it is required no more; while the gate waits, and once. The
-- last one cannot be taken out, only replaced.
CREATE FUNCTION gate_display_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER gate_display_guard BEFORE UPDATE OR DELETE ON public.jackpot_gatedisplay
    FOR EACH ROW EXECUTE FUNCTION gate_display_guard_v1();
ALTER TABLE public.jackpot_gatedisplay ENABLE ALWAYS TRIGGER gate_display_guard;
