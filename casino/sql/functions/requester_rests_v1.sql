CREATE OR REPLACE FUNCTION requester_rests_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM refuse_resting_v2(NEW.requester_id, NEW.house_id, NEW.action, 'payouts_approval');
    RETURN NEW;
END $$;
