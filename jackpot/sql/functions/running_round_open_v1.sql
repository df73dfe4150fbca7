-- Coins need a display: whoever wins the meter is paid when displays have shown the new value, and without one nothing would open again
-- (PRG-9). The list of displays changes under the jackpot's exclusive lock, and a round begins under the shared one.
CREATE OR REPLACE FUNCTION running_round_open_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.jackpot_jackpot j WHERE j.id = NEW.jackpot_id AND j.house_id = NEW.house_id
                   AND j.epoch_id = NEW.epoch_id
                   AND (NEW.coins = '{}' OR (j.phase = 'open' AND EXISTS (
                       SELECT FROM public.jackpot_requireddisplay d WHERE d.jackpot_id = j.id AND d.ended_at IS NULL))))
    THEN
        RAISE EXCEPTION 'jackpot % takes no stake', NEW.jackpot_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_runninground', CONSTRAINT = 'running_round_open';
    END IF;
    NEW.begun_turn := public.jackpot_turn_v1();
    RETURN NEW;
END $$;
