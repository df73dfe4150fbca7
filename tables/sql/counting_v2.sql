-- Drop boxes: a count takes the box of a table of its house; what lies in it then stays there.

-- A count of a drop box begins at a table of its house, open or closed, for no other purpose.
CREATE FUNCTION count_of_drop_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.place_kind = 'drop' AND (NEW.purpose <> 'drop'
        OR NOT EXISTS (SELECT FROM public.tables_table t
            WHERE (t.id, t.house_id) = (NEW.place_id, NEW.house_id)
                AND t.session_id IS NOT DISTINCT FROM NEW.session_id))
    THEN
        RAISE EXCEPTION 'the drop box of table % cannot be counted as %', NEW.place_id, NEW.purpose
            USING ERRCODE = 'check_violation', TABLE = 'payouts_count',
                CONSTRAINT = 'count_of_drop';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER count_of_drop BEFORE INSERT ON public.payouts_count
    FOR EACH ROW EXECUTE FUNCTION count_of_drop_v1();
ALTER TABLE public.payouts_count ENABLE ALWAYS TRIGGER count_of_drop;

-- The count of the drop box in which a buy-in lies, if it was taken: the first that took the entry
-- of its posting, or was taken after the moment at which its tablet says that it was (DRP-8).
CREATE FUNCTION box_count_v1(p_buyin uuid) RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT c.id FROM public.tables_buyin b
    JOIN public.tables_tablesession s ON s.id = b.session_id
    JOIN public.payouts_account a ON (a.house_id, a.owner_id, a.kind)
        = (b.house_id, s.table_id, 'drop') AND a.detail_id IS NULL
    JOIN public.payouts_entry e ON (e.transfer_id, e.account_id) = (b.transfer_id, a.id)
    JOIN public.payouts_count c ON (c.house_id, c.place_id, c.place_kind)
        = (b.house_id, s.table_id, 'drop') AND c.state <> 'given_up'
        AND (e.account_version <= c.taken_version OR b.queued_at < c.begun_at)
    WHERE b.id = p_buyin ORDER BY c.begun_at LIMIT 1
$$;

-- A buy-in or a tip is taken back by the reversal of its posting; one of a poker seat is not, nor a
-- buy-in whose box was taken (DRP-1).
CREATE OR REPLACE FUNCTION entry_taken_back_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM (
            SELECT id, house_id, transfer_id, stay_chips_id FROM public.tables_buyin
                WHERE id = NEW.buy_in_id
            UNION ALL SELECT id, house_id, transfer_id, stay_chips_id FROM public.tables_tip
                WHERE id = NEW.tip_id
        ) entered JOIN public.payouts_transfer t ON t.reverses_id = entered.transfer_id
        WHERE (entered.house_id, t.id) = (NEW.house_id, NEW.transfer_id)
            AND entered.stay_chips_id IS NULL)
        OR box_count_v1(NEW.buy_in_id) IS NOT NULL
    THEN
        RAISE EXCEPTION 'taking back %: not posted as the reversal of its entry', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'tables_entryreversal',
                CONSTRAINT = 'entry_taken_back';
    END IF;
    RETURN NEW;
END $$;
