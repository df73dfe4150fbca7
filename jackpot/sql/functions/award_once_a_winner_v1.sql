-- A winner, and a prize, has one award; where its slip was cancelled unpaid, by mistake, another one may follow, under an approval of its
-- own. The lock: two that are written at the same moment see one another.
CREATE OR REPLACE FUNCTION award_once_a_winner_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('award:' || NEW.round_id::text, 0));
    IF EXISTS (
        SELECT FROM public.jackpot_award a LEFT JOIN public.jackpot_slip s ON s.award_id = a.id
        WHERE (s.cancelled_as IS DISTINCT FROM 'unpaid' OR a.approval_id = NEW.approval_id)
            AND CASE WHEN NEW.kind = 'prize' THEN a.prize_id = NEW.prize_id
                ELSE a.kind <> 'prize' AND (a.round_id, a.box, a.guest_id) = (NEW.round_id, NEW.box, NEW.guest_id) END)
    THEN
        RAISE EXCEPTION 'box % of round % has its award', NEW.box, NEW.round_id
            USING ERRCODE = 'unique_violation', TABLE = 'jackpot_award', CONSTRAINT = 'award_once_a_winner';
    END IF;
    RETURN NEW;
END $$;
