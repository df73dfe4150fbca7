-- A count begins begun, and neither signed nor given up. Which entry of its account a drop box was
-- taken at is the database's word: whoever posts there waits until the taking stands.
CREATE OR REPLACE FUNCTION count_begin_v1() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.state <> 'begun' THEN
        RAISE EXCEPTION 'count % does not begin begun', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_count', CONSTRAINT = 'count_begin';
    END IF;
    NEW.taken_version := NULL;
    IF NEW.place_kind = 'drop' THEN
        SELECT a.version INTO NEW.taken_version FROM public.payouts_account a
            WHERE a.house_id = NEW.house_id AND a.owner_id = NEW.place_id AND a.detail_id IS NULL
                AND a.kind = NEW.place_kind
            FOR NO KEY UPDATE;
        NEW.taken_version := coalesce(NEW.taken_version, 0);
    END IF;
    RETURN NEW;
END $$;
