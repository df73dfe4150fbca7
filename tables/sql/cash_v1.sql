-- Buy-ins and tips: each is posted as it is entered, and taken back as it was posted.
CREATE FUNCTION entry_posted_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM public.tables_tablesession s
        JOIN public.payouts_transfer t ON t.id = NEW.transfer_id AND t.reverses_id IS NULL
            AND (t.house_id, t.gaming_day) = (s.house_id, s.gaming_day)
        JOIN public.payouts_entry e ON e.transfer_id = t.id
            AND abs(e.amount_minor) = NEW.amount_minor
        JOIN public.payouts_account a ON a.id = e.account_id
            AND (a.kind, a.owner_id) = (TG_ARGV[1], s.table_id)
        WHERE (s.id, s.house_id) = (NEW.session_id, NEW.house_id) AND CASE
            WHEN NEW.stay_chips_id IS NULL
                THEN (t.kind, t.subject_id) = (TG_ARGV[0], NEW.id)
            ELSE EXISTS (SELECT FROM public.tables_staychips c
                JOIN public.tables_guest g ON g.id = c.stay_id
                WHERE (c.id, c.transfer_id, g.session_id) = (NEW.stay_chips_id, t.id, s.id))
            END)
    THEN
        RAISE EXCEPTION '% %: not posted as it is entered', TG_TABLE_NAME, NEW.id
            USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER buyin_posted BEFORE INSERT ON public.tables_buyin FOR EACH ROW
    EXECUTE FUNCTION entry_posted_v1('buy_in', 'drop');
ALTER TABLE public.tables_buyin ENABLE ALWAYS TRIGGER buyin_posted;
CREATE TRIGGER tip_posted BEFORE INSERT ON public.tables_tip FOR EACH ROW
    EXECUTE FUNCTION entry_posted_v1('tip', 'tronc');
ALTER TABLE public.tables_tip ENABLE ALWAYS TRIGGER tip_posted;

CREATE FUNCTION entry_taken_back_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
    THEN
        RAISE EXCEPTION 'taking back %: not posted as the reversal of its entry', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'tables_entryreversal',
                CONSTRAINT = 'entry_taken_back';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER entry_taken_back BEFORE INSERT ON public.tables_entryreversal FOR EACH ROW
    EXECUTE FUNCTION entry_taken_back_v1();
ALTER TABLE public.tables_entryreversal ENABLE ALWAYS TRIGGER entry_taken_back;
