-- The list is made when the hit begins, and is whole when the hit is taken at hand: nothing is put on it later (PRG-8).
CREATE OR REPLACE FUNCTION listed_round_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.jackpot_hit h JOIN public.jackpot_jackpot j ON j.id = h.jackpot_id
                   WHERE h.id = NEW.hit_id AND h.house_id = NEW.house_id AND h.state = 'draining' AND j.hit_id IS NULL)
    THEN
        RAISE EXCEPTION 'the list of hit % is closed', NEW.hit_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_listedround', CONSTRAINT = 'listed_round_begin';
    END IF;
    RETURN NEW;
END $$;
