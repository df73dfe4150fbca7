-- A first inventory was signed.
CREATE OR REPLACE FUNCTION inventory_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
