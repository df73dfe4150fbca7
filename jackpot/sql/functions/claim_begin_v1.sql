-- A claim begins undecided, in a running hit; its box had a coin of its guest (PRG-3).
CREATE OR REPLACE FUNCTION claim_begin_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state NOT IN ('called', 'open') OR NEW.decided_by_id IS NOT NULL OR NEW.decided_at IS NOT NULL
        OR NOT claim_coin_v1(NEW.round_id, NEW.table_id, NEW.box, NEW.guest_id)
        OR NOT EXISTS (SELECT FROM public.jackpot_hit h WHERE h.id = NEW.hit_id AND h.house_id = NEW.house_id
                       AND h.state IN ('draining', 'verifying'))
    THEN
        RAISE EXCEPTION 'claim % does not begin', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_claim', CONSTRAINT = 'claim_begin';
    END IF;
    RETURN NEW;
END $$;
