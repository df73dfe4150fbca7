-- What was issued or withdrawn is worth what its transfer moves between stock and vault, and after
-- the first inventory all that was ever issued is the balance of the stock.
CREATE OR REPLACE FUNCTION chip_moves_are_posted_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
