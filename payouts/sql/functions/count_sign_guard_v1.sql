-- Who counted signs with the witness, and for the newest entry; what the books have, and how far
-- the entry is from it, says the database. Of a drop box they have what lay in it when it was
-- taken; its two counters sign, and two counts stand where each denomination is equal, else the
-- third, which they make together.
CREATE OR REPLACE FUNCTION count_sign_guard_v1() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    counted public.payouts_count;
    entry public.payouts_countentry;
    agree boolean := true;
BEGIN
    SELECT * INTO counted FROM public.payouts_count WHERE id = NEW.count_id;
    SELECT * INTO entry FROM public.payouts_countentry
        WHERE count_id = NEW.count_id ORDER BY number DESC LIMIT 1;
    IF counted.place_kind = 'drop' THEN
        agree := EXISTS (SELECT FROM public.payouts_countentry e WHERE e.count_id = NEW.count_id
                AND e.counter_id = NEW.witness_id AND e.number < 3)
            AND CASE WHEN EXISTS (SELECT FROM public.payouts_countsignature s
                    WHERE s.count_id = NEW.count_id)
                THEN NEW.stands AND entry.counter_id IN (SELECT e.counter_id
                    FROM public.payouts_countentry e
                    WHERE e.count_id = NEW.count_id AND e.number < 3)
                ELSE entry.number = 2 AND NEW.stands = NOT EXISTS (
                    SELECT FROM public.payouts_countline l
                    JOIN public.payouts_countentry e ON e.id = l.entry_id
                    WHERE e.count_id = NEW.count_id
                    GROUP BY l.value_minor HAVING min(l.pieces) <> max(l.pieces) OR count(*) <> 2)
                END;
    END IF;
    IF counted.state <> 'entered' OR entry.id IS DISTINCT FROM NEW.entry_id
        OR entry.counter_id <> NEW.counter_id OR agree IS NOT TRUE
    THEN
        RAISE EXCEPTION 'entry % is not what count % waits to have signed', NEW.entry_id,
            NEW.count_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_countsignature',
                CONSTRAINT = 'count_sign_guard';
    END IF;
    -- Whoever posts there waits for the signature: what the account moves by later came after it.
    SELECT a.balance_minor, a.version INTO NEW.recorded_minor, NEW.account_version
        FROM public.payouts_account a WHERE a.house_id = counted.house_id
            AND a.owner_id = counted.place_id AND a.detail_id IS NULL
            AND a.kind = counted.place_kind
        FOR NO KEY UPDATE;
    IF counted.place_kind = 'drop' THEN
        NEW.account_version := counted.taken_version;
        NEW.recorded_minor := (SELECT e.balance_after_minor FROM public.payouts_entry e
            JOIN public.payouts_account a ON a.id = e.account_id
            WHERE a.house_id = counted.house_id AND a.owner_id = counted.place_id
                AND a.detail_id IS NULL AND a.kind = counted.place_kind
                AND e.account_version = counted.taken_version);
    END IF;
    NEW.recorded_minor := coalesce(NEW.recorded_minor, 0);
    NEW.account_version := coalesce(NEW.account_version, 0);
    NEW.difference_minor := entry.value_minor - NEW.recorded_minor;
    RETURN NEW;
END $$;
