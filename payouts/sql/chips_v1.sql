-- Chips by the piece (CHP-4), and the first inventory.

-- A movement of chips is what was signed, or came before its house first played, by the number of
-- its transfer, as a clock may be set back; and no more of a denomination go out than came in.
-- Movements of a house come one after the other.
CREATE FUNCTION chip_move_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('chips of ' || NEW.house_id, 0));
    IF NOT EXISTS (SELECT FROM public.payouts_approval a
            WHERE (a.id, a.house_id, a.state) = (NEW.approval_id, NEW.house_id, 'used')
                AND CASE NEW.kind WHEN 'inventory' THEN a.action = 'inventory.first'
                    AND NOT EXISTS (SELECT FROM public.payouts_inventory i
                        WHERE i.house_id = NEW.house_id)
                ELSE a.action = 'chips.issue' AND a.payload ->> 'kind' = NEW.kind
                    AND a.payload -> 'lines' @> jsonb_build_array(jsonb_build_object(
                        'value_minor', NEW.value_minor, 'pieces', NEW.pieces))
                    AND NOT EXISTS (SELECT FROM public.payouts_chipmove m
                        WHERE (m.approval_id, m.value_minor) = (NEW.approval_id, NEW.value_minor))
                END)
        AND NOT (NEW.approval_id IS NULL AND NEW.kind = 'issue' AND NOT EXISTS (
            SELECT FROM public.payouts_transfer t WHERE t.house_id = NEW.house_id
                AND t.id < NEW.transfer_id AND t.subject_kind IN ('round', 'hand')))
    THEN
        RAISE EXCEPTION 'nobody signed for % pieces of %', NEW.pieces, NEW.value_minor
            USING ERRCODE = 'check_violation', TABLE = 'payouts_chipmove',
                CONSTRAINT = 'chip_move_signed';
    END IF;
    IF NEW.to_place = 'stock' AND NEW.pieces > (
        SELECT coalesce(sum(CASE m.to_place WHEN 'stock' THEN -m.pieces ELSE m.pieces END), 0)
        FROM public.payouts_chipmove m
        WHERE (m.house_id, m.value_minor) = (NEW.house_id, NEW.value_minor))
    THEN
        RAISE EXCEPTION 'so many pieces of % were never put into service', NEW.value_minor
            USING ERRCODE = 'check_violation', TABLE = 'payouts_chipmove',
                CONSTRAINT = 'chip_move_there';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER chip_move_guard BEFORE INSERT ON public.payouts_chipmove
    FOR EACH ROW EXECUTE FUNCTION chip_move_guard_v1();
ALTER TABLE public.payouts_chipmove ENABLE ALWAYS TRIGGER chip_move_guard;

-- What was issued or withdrawn is worth what its transfer moves between stock and vault, and after
-- the first inventory all that was ever issued is the balance of the stock.
CREATE FUNCTION chip_moves_are_posted_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.kind <> 'inventory' AND (
            SELECT sum(m.value_minor
                * CASE m.to_place WHEN 'stock' THEN -m.pieces ELSE m.pieces END)
            FROM public.payouts_chipmove m
            WHERE (m.transfer_id, m.house_id) = (NEW.transfer_id, NEW.house_id))
        IS DISTINCT FROM (
            SELECT sum(e.amount_minor) FROM public.payouts_entry e
            JOIN public.payouts_account a ON a.id = e.account_id
            WHERE (e.transfer_id, e.house_id, a.kind)
                = (NEW.transfer_id, NEW.house_id, 'cage_chips'))
        OR NEW.kind = 'inventory' AND (
            SELECT sum(m.value_minor
                * CASE m.to_place WHEN 'stock' THEN -m.pieces ELSE m.pieces END)
            FROM public.payouts_chipmove m WHERE m.house_id = NEW.house_id)
        IS DISTINCT FROM (
            SELECT -sum(a.balance_minor) FROM public.payouts_account a
            WHERE (a.house_id, a.kind) = (NEW.house_id, 'chip_stock'))
    THEN
        RAISE EXCEPTION 'the pieces of movement % are not worth what was booked', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_chipmove',
                CONSTRAINT = 'chip_moves_are_posted';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER chip_moves_are_posted AFTER INSERT ON public.payouts_chipmove
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chip_moves_are_posted_v1();
ALTER TABLE public.payouts_chipmove ENABLE ALWAYS TRIGGER chip_moves_are_posted;

-- A first inventory was signed.
CREATE FUNCTION inventory_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.payouts_approval a
        WHERE (a.id, a.house_id, a.state, a.action)
            = (NEW.approval_id, NEW.house_id, 'used', 'inventory.first'))
    THEN
        RAISE EXCEPTION 'the inventory of house % is not signed', NEW.house_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_inventory',
                CONSTRAINT = 'inventory_guard';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER inventory_guard BEFORE INSERT ON public.payouts_inventory
    FOR EACH ROW EXECUTE FUNCTION inventory_guard_v1();
ALTER TABLE public.payouts_inventory ENABLE ALWAYS TRIGGER inventory_guard;

-- By pairs: what is booked and signed for is the house's own.
ALTER TABLE public.payouts_chipmove ADD CONSTRAINT chip_move_transfer_of_house
    FOREIGN KEY (transfer_id, house_id) REFERENCES public.payouts_transfer (id, house_id);
ALTER TABLE public.payouts_inventory ADD CONSTRAINT inventory_transfer_of_house
    FOREIGN KEY (transfer_id, house_id) REFERENCES public.payouts_transfer (id, house_id);
