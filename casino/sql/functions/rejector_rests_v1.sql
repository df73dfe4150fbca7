-- A "no" is a decision. Who takes back what he asked for himself decides nothing.
CREATE OR REPLACE FUNCTION rejector_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    approval public.payouts_approval;
BEGIN
    SELECT * INTO approval FROM public.payouts_approval WHERE id = NEW.subject_id::uuid;
    IF NEW.actor_id IS DISTINCT FROM approval.requester_id THEN
        PERFORM refuse_resting_v2(NEW.actor_id, approval.house_id, approval.action,
            'payouts_event');
    END IF;
    RETURN NEW;
END $$;
