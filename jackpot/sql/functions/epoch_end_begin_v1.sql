-- An epoch ends when it is won, which people have approved, or when its closed jackpot is retired, which they have approved too.
CREATE OR REPLACE FUNCTION epoch_end_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.jackpot_jackpot j WHERE j.epoch_id = NEW.epoch_id AND j.house_id = NEW.house_id AND CASE NEW.ended_as
        WHEN 'won' THEN j.hit_id = NEW.hit_id AND hit_approved_v1(NEW.hit_id)
        ELSE j.phase = 'closed' AND jackpot_allowed_v2(j.id, 'jackpot.retire') END)
    THEN
        RAISE EXCEPTION 'epoch % does not end as %', NEW.epoch_id, NEW.ended_as
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_epochend', CONSTRAINT = 'epoch_end_begin';
    END IF;
    RETURN NEW;
END $$;
