-- Differences of counts and their explanations (RES-4).

-- A difference is of a signed count of its table, and so large that the house wants it explained.
CREATE FUNCTION difference_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'open' OR coalesce(abs(count_left_v1(NEW.count_id)), 0) < NEW.explain_from_minor
        OR NOT EXISTS (SELECT FROM public.payouts_count c
            WHERE (c.id, c.house_id, c.place_id) = (NEW.count_id, NEW.house_id, NEW.table_id))
    THEN
        RAISE EXCEPTION 'count % has no difference that is open', NEW.count_id
            USING ERRCODE = 'check_violation', TABLE = 'tables_difference',
                CONSTRAINT = 'difference_begin';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER difference_begin BEFORE INSERT ON public.tables_difference
    FOR EACH ROW EXECUTE FUNCTION difference_begin_v1();
ALTER TABLE public.tables_difference ENABLE ALWAYS TRIGGER difference_begin;

-- It is explained by an explanation of what is left of it, settles by itself below the limit, and
-- opens again from there on.
CREATE FUNCTION difference_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    step text := OLD.state || '>' || NEW.state;
    left_minor bigint := count_left_v1(OLD.count_id);
    is_large boolean := abs(left_minor) >= OLD.explain_from_minor;
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - 'state' <> to_jsonb(NEW) - 'state'
        OR NOT coalesce(CASE step
            WHEN 'open>explained' THEN EXISTS (SELECT FROM public.tables_explanation x
                WHERE x.difference_id = OLD.id AND x.amount_minor = left_minor)
            WHEN 'open>settled' THEN NOT is_large
            WHEN 'explained>open' THEN is_large
            WHEN 'settled>open' THEN is_large
            ELSE false END, false)
    THEN
        RAISE EXCEPTION 'difference %: % refused', OLD.id, coalesce(step, TG_OP)
            USING ERRCODE = 'restrict_violation', TABLE = 'tables_difference',
                CONSTRAINT = 'difference_guard';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER difference_guard BEFORE UPDATE OR DELETE ON public.tables_difference
    FOR EACH ROW EXECUTE FUNCTION difference_guard_v1();
ALTER TABLE public.tables_difference ENABLE ALWAYS TRIGGER difference_guard;

-- An explanation is of an open difference, of all that is left of it; from the house's limit up by
-- the approval that it was asked for with. Its words stand where it says.
CREATE FUNCTION explanation_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.tables_difference d
        JOIN public.tables_explanationwords w ON (w.id, w.difference_id) = (NEW.id, d.id)
        LEFT JOIN public.payouts_approval a ON a.id = NEW.approval_id
        WHERE (d.id, d.house_id, d.state) = (NEW.difference_id, NEW.house_id, 'open')
            AND NEW.amount_minor = count_left_v1(d.count_id)
            AND NEW.words_hash = sha256(convert_to(w.words, 'UTF8'))
            AND CASE WHEN NEW.approval_id IS NULL
                THEN abs(NEW.amount_minor) < d.report_from_minor
                ELSE (a.action, a.subject_id, a.state)
                    = ('difference.explain', d.id::text, 'used') END)
    THEN
        RAISE EXCEPTION 'difference % is not explained by %', NEW.difference_id, NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'tables_explanation',
                CONSTRAINT = 'explanation_begin';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER explanation_begin BEFORE INSERT ON public.tables_explanation
    FOR EACH ROW EXECUTE FUNCTION explanation_begin_v1();
ALTER TABLE public.tables_explanation ENABLE ALWAYS TRIGGER explanation_begin;

-- Words stay as they were written; those about a theft go when their time is over.
CREATE FUNCTION explanation_words_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.gone_from <= CURRENT_DATE THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'words %: % refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', TABLE = 'tables_explanationwords',
            CONSTRAINT = 'explanation_words_guard';
END $$;
CREATE TRIGGER explanation_words_guard BEFORE UPDATE OR DELETE ON public.tables_explanationwords
    FOR EACH ROW EXECUTE FUNCTION explanation_words_guard_v1();
ALTER TABLE public.tables_explanationwords ENABLE ALWAYS TRIGGER explanation_words_guard;

ALTER TABLE public.tables_difference ADD CONSTRAINT difference_count_of_house
    FOREIGN KEY (count_id, house_id) REFERENCES public.payouts_count (id, house_id);
ALTER TABLE public.tables_difference ADD CONSTRAINT difference_table_of_house
    FOREIGN KEY (table_id, house_id) REFERENCES public.tables_table (id, house_id);
ALTER TABLE public.tables_explanation ADD CONSTRAINT explanation_of_house
    FOREIGN KEY (difference_id, house_id) REFERENCES public.tables_difference (id, house_id);
ALTER TABLE public.tables_explanationwords ADD CONSTRAINT explanation_words_of_house
    FOREIGN KEY (difference_id, house_id) REFERENCES public.tables_difference (id, house_id);
