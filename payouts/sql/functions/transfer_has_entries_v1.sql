-- A transfer has entries when its transaction commits: an empty one would hide a command that moved nothing.
CREATE OR REPLACE FUNCTION transfer_has_entries_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.payouts_entry WHERE transfer_id = NEW.id) THEN
        RAISE EXCEPTION 'transfer % has no entries', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_transfer', CONSTRAINT = 'transfer_has_entries';
    END IF;
    RETURN NULL;
END $$;
