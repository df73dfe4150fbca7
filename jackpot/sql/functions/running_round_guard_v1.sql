-- A running round ends once.
CREATE OR REPLACE FUNCTION running_round_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keep text[] := ARRAY['ended_at', 'ended_as'];
BEGIN
    IF TG_OP = 'DELETE' OR OLD.ended_at IS NOT NULL OR to_jsonb(OLD) - keep <> to_jsonb(NEW) - keep THEN
        RAISE EXCEPTION '%: % refused', TG_TABLE_NAME, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
    END IF;
    IF NEW.ended_at IS NOT NULL THEN
        NEW.ended_turn := public.jackpot_turn_v1();
    END IF;
    RETURN NEW;
END $$;
