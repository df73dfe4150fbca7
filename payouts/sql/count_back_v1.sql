-- What came after a signed count sets its difference back (CNT-10).

-- What is left of the difference of a signed count, by what has set it back; NULL before.
CREATE FUNCTION count_left_v1(p_count uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT s.difference_minor - coalesce((SELECT sum(b.amount_minor) FROM public.payouts_countback b
        WHERE b.count_id = p_count), 0)::bigint
    FROM public.payouts_countsignature s WHERE s.count_id = p_count AND s.stands
$$;

-- A count is set back by a posting of its own, which puts the place back as it was counted.
CREATE FUNCTION count_back_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER count_back_begin BEFORE INSERT ON public.payouts_countback
    FOR EACH ROW EXECUTE FUNCTION count_back_begin_v1();
ALTER TABLE public.payouts_countback ENABLE ALWAYS TRIGGER count_back_begin;
ALTER TABLE public.payouts_countback ADD CONSTRAINT count_back_of_house
    FOREIGN KEY (count_id, house_id) REFERENCES public.payouts_count (id, house_id);
