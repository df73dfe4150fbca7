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
