-- Words stay as they were written; those about a theft go when their time is over.
CREATE OR REPLACE FUNCTION explanation_words_guard_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.gone_from <= CURRENT_DATE THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'words %: % refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', TABLE = 'tables_explanationwords',
            CONSTRAINT = 'explanation_words_guard';
END $$;
