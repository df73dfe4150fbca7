-- A gate is passed when nobody on its list waits and every display that is required by then, at least one, has confirmed.
CREATE OR REPLACE FUNCTION gate_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
    NEW.ended_turn := public.jackpot_turn_v1();
    RETURN NEW;
END $$;
