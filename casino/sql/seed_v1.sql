-- A seed is the house's money: from its first lock on, nobody makes a jackpot alone.

-- Whether the jackpot may stand with these values: its house has never locked, or an approval was
-- used for exactly them in this transaction.
CREATE FUNCTION jackpot_signed_v1(p_house uuid, p_jackpot uuid, p_values jsonb)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT NOT house_has_locked_v1(p_house) OR EXISTS (
        SELECT FROM public.payouts_approval a
        WHERE a.house_id = p_house AND a.action = 'jackpot.create' AND a.state = 'used'
            AND a.closed_at >= transaction_timestamp() AND a.subject_id = p_jackpot::text
            AND a.payload @> p_values)
$$;

-- A jackpot is made as it was signed.
CREATE FUNCTION jackpot_needs_two_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT jackpot_signed_v1(NEW.house_id, NEW.id, jsonb_build_object('name', NEW.name,
        'progressive', NEW.progressive, 'funding', NEW.funding, 'rules', NEW.rules,
        'offline_linked', NEW.offline_linked))
    THEN
        RAISE EXCEPTION 'jackpot % was not signed by a second person', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_jackpot',
                CONSTRAINT = 'jackpot_needs_two';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER jackpot_needs_two BEFORE INSERT ON public.jackpot_jackpot
    FOR EACH ROW EXECUTE FUNCTION jackpot_needs_two_v1();
ALTER TABLE public.jackpot_jackpot ENABLE ALWAYS TRIGGER jackpot_needs_two;

-- Its first epoch begins with the versions and the seed that were signed with it.
CREATE FUNCTION epoch_needs_two_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT jackpot_signed_v1(NEW.house_id, NEW.jackpot_id, jsonb_build_object('seed_minor',
        NEW.seed_minor, 'posted', jsonb_build_object('progressive', NEW.progressive_id,
            'funding', NEW.funding_id, 'rules', NEW.rules_id)))
    THEN
        RAISE EXCEPTION 'the seed of jackpot % was not signed by a second person', NEW.jackpot_id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_epoch',
                CONSTRAINT = 'epoch_needs_two';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER epoch_needs_two BEFORE INSERT ON public.jackpot_epoch
    FOR EACH ROW WHEN ((new.number = 1)) EXECUTE FUNCTION epoch_needs_two_v1();
ALTER TABLE public.jackpot_epoch ENABLE ALWAYS TRIGGER epoch_needs_two;
