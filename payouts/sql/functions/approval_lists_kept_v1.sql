CREATE OR REPLACE FUNCTION approval_lists_kept_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM jsonb_object_keys(NEW.payload -> 'lists') AS named (list)
               WHERE NOT EXISTS (SELECT FROM public.payouts_approvallist l WHERE l.approval_id = NEW.id AND l.name = named.list))
    THEN
        RAISE EXCEPTION 'approval % lacks a list that it is about', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approval', CONSTRAINT = 'approval_lists_kept';
    END IF;
    RETURN NULL;
END $$;
