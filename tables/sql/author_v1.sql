-- Who enters a result is its author: he decides about no claim of it, and signs none of its prizes. Rounds are this floor's, so that
-- it lays its triggers on the tables of the floor below.
CREATE FUNCTION claim_by_author_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state IN ('verified', 'refused') AND EXISTS (
        SELECT FROM public.tables_roundresult x WHERE x.round_id = NEW.round_id AND x.entered_by_id = NEW.decided_by_id)
    THEN
        RAISE EXCEPTION 'claim %: its decider has entered the result', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_claim', CONSTRAINT = 'claim_by_author';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER claim_by_author BEFORE UPDATE ON public.jackpot_claim
    FOR EACH ROW EXECUTE FUNCTION claim_by_author_v1();
ALTER TABLE public.jackpot_claim ENABLE ALWAYS TRIGGER claim_by_author;

CREATE FUNCTION prize_names_authors_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM public.tables_roundresult x WHERE x.round_id = NEW.source_id AND x.entered_by_id <> ALL (NEW.dealers)) THEN
        RAISE EXCEPTION 'prize % does not name all authors of its result', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_waitingprize', CONSTRAINT = 'prize_names_authors';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER prize_names_authors BEFORE INSERT ON public.jackpot_waitingprize
    FOR EACH ROW EXECUTE FUNCTION prize_names_authors_v1();
ALTER TABLE public.jackpot_waitingprize ENABLE ALWAYS TRIGGER prize_names_authors;
