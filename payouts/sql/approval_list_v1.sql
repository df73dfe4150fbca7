-- Lists that stand beside what is signed: the payload holds the digest of each, and exactly that list is kept, from the first moment on.
CREATE FUNCTION approval_list_signed_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.payouts_approval a WHERE a.id = NEW.approval_id AND a.state = 'open'
        AND a.payload -> 'lists' -> NEW.name ->> 'sha256' = encode(sha256(convert_to(NEW.text, 'UTF8')), 'hex'))
    THEN
        RAISE EXCEPTION 'the list % is not what approval % is about', NEW.name, NEW.approval_id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvallist', CONSTRAINT = 'approval_list_signed';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER approval_list_signed BEFORE INSERT ON public.payouts_approvallist
    FOR EACH ROW EXECUTE FUNCTION approval_list_signed_v1();
ALTER TABLE public.payouts_approvallist ENABLE ALWAYS TRIGGER approval_list_signed;

CREATE FUNCTION approval_lists_kept_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM jsonb_object_keys(NEW.payload -> 'lists') AS named (list)
               WHERE NOT EXISTS (SELECT FROM public.payouts_approvallist l WHERE l.approval_id = NEW.id AND l.name = named.list))
    THEN
        RAISE EXCEPTION 'approval % lacks a list that it is about', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approval', CONSTRAINT = 'approval_lists_kept';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER approval_lists_kept AFTER INSERT ON public.payouts_approval DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN ((new.payload ? 'lists'::text)) EXECUTE FUNCTION approval_lists_kept_v1();
ALTER TABLE public.payouts_approval ENABLE ALWAYS TRIGGER approval_lists_kept;
