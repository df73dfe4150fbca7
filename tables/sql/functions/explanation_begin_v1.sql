-- An explanation is of an open difference, of all that is left of it; from the house's limit up by
-- the approval that it was asked for with. Its words stand where it says.
CREATE OR REPLACE FUNCTION explanation_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
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
