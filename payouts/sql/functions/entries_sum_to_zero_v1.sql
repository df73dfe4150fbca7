-- The entries of a transfer sum to zero when their transaction commits. On every entry, so that a late entry to an old transfer
-- is caught too; deferred, so that a transfer may be written in several statements.
CREATE OR REPLACE FUNCTION entries_sum_to_zero_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    difference numeric;
BEGIN
    SELECT sum(amount_minor) INTO difference FROM public.payouts_entry WHERE transfer_id = NEW.transfer_id;
    IF difference <> 0 THEN
        RAISE EXCEPTION 'the entries of transfer % sum to %, not to zero', NEW.transfer_id, difference
            USING ERRCODE = 'check_violation', TABLE = 'payouts_entry', CONSTRAINT = 'entries_sum_to_zero';
    END IF;
    RETURN NULL;
END $$;
