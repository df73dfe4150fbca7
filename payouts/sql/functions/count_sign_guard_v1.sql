-- Who counted signs with the witness, and for the newest entry; what the books have, and how far
-- the entry is from it, says the database.
CREATE OR REPLACE FUNCTION count_sign_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    counted public.payouts_count;
    entry public.payouts_countentry;
BEGIN
    SELECT * INTO counted FROM public.payouts_count WHERE id = NEW.count_id;
    SELECT * INTO entry FROM public.payouts_countentry
        WHERE count_id = NEW.count_id ORDER BY number DESC LIMIT 1;
    IF counted.state <> 'entered' OR entry.id IS DISTINCT FROM NEW.entry_id
        OR entry.counter_id <> NEW.counter_id
    THEN
        RAISE EXCEPTION 'entry % is not what count % waits to have signed', NEW.entry_id,
            NEW.count_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_countsignature',
                CONSTRAINT = 'count_sign_guard';
    END IF;
    NEW.recorded_minor := coalesce((SELECT a.balance_minor FROM public.payouts_account a
        WHERE a.house_id = counted.house_id AND a.owner_id = counted.place_id
            AND a.detail_id IS NULL AND a.kind = counted.place_kind), 0);
    NEW.difference_minor := entry.value_minor - NEW.recorded_minor;
    RETURN NEW;
END $$;
