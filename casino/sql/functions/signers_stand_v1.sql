-- A signature counts, when its approval is used, while its signer is active, of the house, and holds one of the roles.
CREATE OR REPLACE FUNCTION signers_stand_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state = 'used' AND OLD.signers > (
        SELECT count(*) FROM public.payouts_approvalsignature s JOIN public.casino_person p ON p.id = s.signer_id
        WHERE s.approval_id = OLD.id AND p.is_active AND p.house_id = OLD.house_id AND p.roles && OLD.roles)
    THEN
        RAISE EXCEPTION 'approval % has too few signatures of people who may sign', OLD.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approval', CONSTRAINT = 'signers_stand';
    END IF;
    RETURN NEW;
END $$;
