-- A hit begins in the running epoch of a jackpot that has none at hand, and lists its rounds before it is taken at hand; it claims later.
CREATE OR REPLACE FUNCTION hit_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'draining' OR NOT EXISTS (SELECT FROM public.jackpot_jackpot j WHERE j.id = NEW.jackpot_id AND j.hit_id IS NULL
                                              AND (j.house_id, j.epoch_id) = (NEW.house_id, NEW.epoch_id))
    THEN
        RAISE EXCEPTION 'hit % does not begin', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_hit', CONSTRAINT = 'hit_begin';
    END IF;
    NEW.begun_turn := public.jackpot_turn_v1();
    RETURN NEW;
END $$;
