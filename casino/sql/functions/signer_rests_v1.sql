-- Who was made by the requester rests; a requester who was made by the signer, after he had asked,
-- is looked for besides.
CREATE OR REPLACE FUNCTION signer_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    approval public.payouts_approval;
BEGIN
    SELECT * INTO approval FROM public.payouts_approval WHERE id = NEW.approval_id;
    PERFORM refuse_resting_v2(NEW.signer_id, approval.house_id, approval.action,
        'payouts_approvalsignature');
    IF person_made_anew_v1(approval.requester_id, NEW.signer_id)
        AND NOT rest_waived_v1(approval.house_id, approval.action) THEN
        RAISE EXCEPTION 'the signer made the requester of approval % anew less than 24 hours ago',
            approval.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature',
                CONSTRAINT = 'signer_made_requester';
    END IF;
    RETURN NEW;
END $$;
