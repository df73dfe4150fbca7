-- A display comes on the list of a gate that is open, and waits.
CREATE OR REPLACE FUNCTION gate_display_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'waiting' OR NOT EXISTS (SELECT FROM public.jackpot_gate g WHERE g.id = NEW.gate_id AND g.house_id = NEW.house_id
                                             AND g.state = 'open')
    THEN
        RAISE EXCEPTION 'display % does not wait', NEW.display_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_gatedisplay', CONSTRAINT = 'gate_display_begin';
    END IF;
    RETURN NEW;
END $$;
