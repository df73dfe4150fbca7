-- A buy-in or a tip is posted, with its amount, at the table and on the gaming day of its session:
-- by itself, or by what moved chips at a poker seat. TG_ARGV: the kind of posting, the account that
-- gets the money.
CREATE OR REPLACE FUNCTION entry_posted_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
