-- A stake that is taken back is one that came after the lock, and goes back as it came.
CREATE OR REPLACE FUNCTION round_stake_back_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM public.tables_roundstake k WHERE k.round_id = NEW.round_id AND k.placed = NEW.takes_back AND k.takes_back IS NULL
            AND (k.house_id, k.box, k.guest_id, k.source_id, k.kind, k.accepted_minor)
                = (NEW.house_id, NEW.box, NEW.guest_id, NEW.source_id, NEW.kind, NEW.returned_minor))
    THEN
        RAISE EXCEPTION 'round % has no such stake % after its lock', NEW.round_id, NEW.takes_back
            USING ERRCODE = 'check_violation', TABLE = 'tables_roundstake', CONSTRAINT = 'round_stake_back';
    END IF;
    RETURN NEW;
END $$;
