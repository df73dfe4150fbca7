-- A meter that coins have filled may be lowered by more than its base: the tables' parts stay what their coins brought, so that each coin
-- can still go back, and the base owes what was taken. Never more than the whole meter holds: it is not lowered below nothing.
CREATE OR REPLACE FUNCTION meter_bears_its_base_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF 0 < (SELECT sum(a.balance_minor) FROM public.payouts_account a WHERE a.house_id = NEW.house_id AND a.detail_id = NEW.detail_id
            AND a.kind IN ('meter_base', 'sub_meter', 'meter_prizes'))
    THEN
        RAISE EXCEPTION 'account %: its meter holds less than is taken', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_account', CONSTRAINT = 'meter_bears_its_base';
    END IF;
    RETURN NULL;
END $$;
