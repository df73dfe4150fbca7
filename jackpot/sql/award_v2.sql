-- A winner has one award; where its slip was cancelled unpaid, by mistake, another one may follow. The lock: two that are written
-- at the same moment see one another.
CREATE FUNCTION award_once_a_winner_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('award:' || NEW.round_id::text, 0));
    IF NEW.kind <> 'prize' AND EXISTS (
        SELECT FROM public.jackpot_award a LEFT JOIN public.jackpot_slip s ON s.award_id = a.id
        WHERE (a.round_id, a.box, a.guest_id) = (NEW.round_id, NEW.box, NEW.guest_id) AND a.kind <> 'prize'
            AND s.cancelled_as IS DISTINCT FROM 'unpaid')
    THEN
        RAISE EXCEPTION 'box % of round % has its award', NEW.box, NEW.round_id
            USING ERRCODE = 'unique_violation', TABLE = 'jackpot_award', CONSTRAINT = 'award_once_a_winner';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER award_once_a_winner BEFORE INSERT ON public.jackpot_award
    FOR EACH ROW EXECUTE FUNCTION award_once_a_winner_v1();
ALTER TABLE public.jackpot_award ENABLE ALWAYS TRIGGER award_once_a_winner;

