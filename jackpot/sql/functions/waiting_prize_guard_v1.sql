-- A prize whose award is cancelled is owed by its table again: people ask for it anew, or it is dropped with the result that owed it.
-- What was paid, or was taken back from the books, is not asked for again.
CREATE OR REPLACE FUNCTION waiting_prize_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    step text := OLD.state || '>' || NEW.state;
    owed_by text := CASE WHEN OLD.source_id = OLD.round_id THEN 'round:' || OLD.round_id || ':settle:' || OLD.revision
        ELSE 'envy:' || OLD.id END;
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - ARRAY['state', 'hit_id'] <> to_jsonb(NEW) - ARRAY['state', 'hit_id']
        OR step NOT IN ('waiting>waiting', 'waiting>awarded', 'waiting>dropped', 'awarded>waiting', 'awarded>dropped')
        OR (NEW.state = 'awarded') <> EXISTS (
            SELECT FROM public.jackpot_award a LEFT JOIN public.jackpot_slip s ON s.award_id = a.id
            WHERE a.prize_id = OLD.id AND s.state IS DISTINCT FROM 'cancelled')
        OR (step = 'awarded>waiting' AND (
            EXISTS (SELECT FROM public.jackpot_award a JOIN public.jackpot_slip s ON s.award_id = a.id
                    WHERE a.prize_id = OLD.id AND s.cancelled_as <> 'unpaid')
            OR EXISTS (SELECT FROM public.payouts_transfer t JOIN public.payouts_transfer b ON b.reverses_id = t.id
                       WHERE t.house_id = OLD.house_id AND t.key = owed_by)))
    THEN
        RAISE EXCEPTION 'prize %: % refused', OLD.id, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_waitingprize', CONSTRAINT = 'waiting_prize_guard';
    END IF;
    RETURN NEW;
END $$;
