-- An epoch that has ended takes nothing any more.
CREATE OR REPLACE FUNCTION epoch_runs_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM public.jackpot_epochend e WHERE e.epoch_id = NEW.epoch_id) THEN
        RAISE EXCEPTION '%: epoch % has ended', TG_TABLE_NAME, NEW.epoch_id
            USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'epoch_runs';
    END IF;
    RETURN NEW;
END $$;
