-- No chips are booked before a guest who has left.
CREATE OR REPLACE FUNCTION stack_of_a_stay_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
