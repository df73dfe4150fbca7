-- Lists that stand beside what is signed: the payload holds the digest of each, and exactly that list is kept, from the first moment on.
CREATE OR REPLACE FUNCTION approval_list_signed_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.payouts_approval a WHERE a.id = NEW.approval_id AND a.state = 'open'
        AND a.payload -> 'lists' -> NEW.name ->> 'sha256' = encode(sha256(convert_to(NEW.text, 'UTF8')), 'hex'))
    THEN
        RAISE EXCEPTION 'the list % is not what approval % is about', NEW.name, NEW.approval_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvallist', CONSTRAINT = 'approval_list_signed';
    END IF;
    RETURN NEW;
END $$;
