-- Slips are numbered without a gap: whoever makes one waits for whoever makes the one before. Beside its number each keeps the
-- incarnation of the books: what was printed before a restore, and is not in them any more, is another slip.
CREATE OR REPLACE FUNCTION slip_number_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('slips:' || NEW.house_id::text, 0));
    NEW.number := 1 + (SELECT coalesce(max(s.number), 0) FROM public.jackpot_slip s WHERE s.house_id = NEW.house_id);
    NEW.incarnation := (SELECT i.number FROM public.jackpot_incarnation i ORDER BY i.id DESC LIMIT 1);
    IF NEW.state <> 'open'
        OR NOT EXISTS (SELECT FROM public.jackpot_award a WHERE a.id = NEW.award_id AND a.house_id = NEW.house_id)
    THEN
        RAISE EXCEPTION 'slip % does not begin open', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_slip', CONSTRAINT = 'slip_number';
    END IF;
    RETURN NEW;
END $$;
