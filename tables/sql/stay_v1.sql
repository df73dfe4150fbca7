-- Guests at the seats of poker tables: what of a stay may change, whose its chips are, and that
-- none are booked before a guest who has left.
CREATE TRIGGER stay_guard BEFORE UPDATE OR DELETE ON public.tables_pokerstay
    FOR EACH ROW EXECUTE FUNCTION keep_columns_v1('left_at', 'away_since', 'left_at');
ALTER TABLE public.tables_pokerstay ENABLE ALWAYS TRIGGER stay_guard;

ALTER TABLE public.tables_pokerstay ADD CONSTRAINT stay_continues_in_house
    FOREIGN KEY (came_from_id, house_id) REFERENCES public.tables_pokerstay (guest_id, house_id);
ALTER TABLE public.tables_staychips ADD CONSTRAINT stay_chips_of_house
    FOREIGN KEY (stay_id, house_id) REFERENCES public.tables_pokerstay (guest_id, house_id);

CREATE FUNCTION stay_leaves_nothing_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM public.payouts_account a
        WHERE a.owner_id = (SELECT s.table_id FROM public.tables_guest g
                JOIN public.tables_tablesession s ON s.id = g.session_id WHERE g.id = NEW.guest_id)
            AND a.kind = 'stack' AND a.detail_id = NEW.guest_id AND a.balance_minor <> 0)
    THEN
        RAISE EXCEPTION 'stay %: chips are booked before its guest', NEW.guest_id
            USING ERRCODE = 'check_violation', TABLE = 'tables_pokerstay',
                CONSTRAINT = 'stay_leaves_nothing';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER stay_leaves_nothing AFTER INSERT OR UPDATE ON public.tables_pokerstay FOR EACH ROW
    WHEN ((new.left_at IS NOT NULL))
    EXECUTE FUNCTION stay_leaves_nothing_v1();
ALTER TABLE public.tables_pokerstay ENABLE ALWAYS TRIGGER stay_leaves_nothing;

CREATE FUNCTION stack_of_a_stay_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM public.tables_pokerstay
        WHERE guest_id = NEW.detail_id AND left_at IS NOT NULL)
    THEN
        RAISE EXCEPTION 'account %: its guest has left', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_account',
                CONSTRAINT = 'stack_of_a_stay';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER stack_of_a_stay AFTER UPDATE ON public.payouts_account FOR EACH ROW
    WHEN ((((new.kind)::text = 'stack'::text) AND (new.balance_minor <> 0)))
    EXECUTE FUNCTION stack_of_a_stay_v1();
ALTER TABLE public.payouts_account ENABLE ALWAYS TRIGGER stack_of_a_stay;
