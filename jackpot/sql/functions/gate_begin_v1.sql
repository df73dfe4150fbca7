-- A gate begins open, as the next one, for what the meter holds now, while the jackpot shows.
CREATE OR REPLACE FUNCTION gate_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'open' OR NEW.version <> meter_version_v1(NEW.jackpot_id)
        OR NEW.number <> 1 + (SELECT coalesce(max(g.number), 0) FROM public.jackpot_gate g WHERE g.jackpot_id = NEW.jackpot_id)
        OR NOT EXISTS (SELECT FROM public.jackpot_jackpot j WHERE j.id = NEW.jackpot_id AND j.house_id = NEW.house_id
                       AND 'showing' IN (j.phase, j.kept_phase))
    THEN
        RAISE EXCEPTION 'gate % does not begin', NEW.number
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_gate', CONSTRAINT = 'gate_begin';
    END IF;
    NEW.phase_number := (SELECT j.phase_number FROM public.jackpot_jackpot j WHERE j.id = NEW.jackpot_id);
    RETURN NEW;
END $$;
