-- A late award is no more than that.
CREATE OR REPLACE FUNCTION award_late_bound_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.kind = 'late'
        AND NEW.amount_minor > coalesce(public.award_late_most_v1(NEW.round_id), 0) THEN
        RAISE EXCEPTION 'late award % is above what its epoch gives', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_award',
                CONSTRAINT = 'award_late_bound';
    END IF;
    RETURN NEW;
END $$;
