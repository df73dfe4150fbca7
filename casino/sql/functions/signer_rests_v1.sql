-- Who was made by the requester rests; a requester who was made by the signer is looked for
-- besides: within a day, and for as long as nobody has seen the sign-in that the signer set.
CREATE OR REPLACE FUNCTION signer_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    approval public.payouts_approval;
BEGIN
    SELECT * INTO approval FROM public.payouts_approval WHERE id = NEW.approval_id;
    PERFORM refuse_resting_v2(NEW.signer_id, approval.house_id, approval.action,
        'payouts_approvalsignature');
    IF person_made_anew_v1(approval.requester_id, NEW.signer_id)
            AND NOT rest_waived_v1(approval.house_id, approval.action)
        OR EXISTS (SELECT FROM credential_unseen_v1(approval.requester_id, approval.house_id) u
                WHERE u.setter = NEW.signer_id)
            AND credential_waits_v1(approval.requester_id, approval.house_id) THEN
        RAISE EXCEPTION
            'the signer has set the sign-in or the roles of the requester of approval %',
            approval.id
            USING ERRCODE = 'check_violation', TABLE = 'payouts_approvalsignature',
                CONSTRAINT = 'signer_made_requester';
    END IF;
    RETURN NEW;
END $$;
