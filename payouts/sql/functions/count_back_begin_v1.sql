-- A count is set back by a posting of its own, which puts the place back as it was counted.
CREATE OR REPLACE FUNCTION count_back_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.payouts_count c
        JOIN public.payouts_countsignature s ON s.count_id = c.id AND s.stands
        JOIN public.payouts_transfer t ON (t.house_id, t.kind, t.subject_kind, t.subject_id)
            = (c.house_id, 'count_set_back', 'count', c.id)
        JOIN public.payouts_entry e ON e.transfer_id = t.id AND e.amount_minor = -NEW.amount_minor
        JOIN public.payouts_account a ON a.id = e.account_id
            AND (a.kind, a.owner_id) = (c.place_kind, c.place_id)
        WHERE c.id = NEW.count_id AND t.id = NEW.transfer_id)
    THEN
        RAISE EXCEPTION 'transfer % does not set count % back by %', NEW.transfer_id, NEW.count_id,
            NEW.amount_minor
            USING ERRCODE = 'check_violation', TABLE = 'payouts_countback',
                CONSTRAINT = 'count_back_begin';
    END IF;
    RETURN NEW;
END $$;
