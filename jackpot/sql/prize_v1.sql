-- A prize that waits is awarded, or dropped when its result is corrected; awarded only with its award there.
CREATE FUNCTION waiting_prize_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - ARRAY['state', 'hit_id'] <> to_jsonb(NEW) - ARRAY['state', 'hit_id'] OR OLD.state <> 'waiting'
        OR (NEW.state = 'awarded' AND NOT EXISTS (SELECT FROM public.jackpot_award a WHERE a.prize_id = OLD.id))
    THEN
        RAISE EXCEPTION 'prize %: % refused', OLD.id, TG_OP
            USING ERRCODE = 'restrict_violation', TABLE = 'jackpot_waitingprize', CONSTRAINT = 'waiting_prize_guard';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER waiting_prize_guard BEFORE UPDATE OR DELETE ON public.jackpot_waitingprize
    FOR EACH ROW EXECUTE FUNCTION waiting_prize_guard_v1();
ALTER TABLE public.jackpot_waitingprize ENABLE ALWAYS TRIGGER waiting_prize_guard;
