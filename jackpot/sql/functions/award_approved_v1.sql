-- An award is what an approval allowed that was used for it, and is posted: a share of a paid hit's newest split, a prize that waits, or
-- what the late truth asks for.
CREATE OR REPLACE FUNCTION award_approved_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    posted text := CASE NEW.kind WHEN 'share' THEN 'hit:' || NEW.hit_id || ':award' ELSE 'award:' || NEW.id END;
    used public.payouts_approval;
    found_it boolean;
BEGIN
    SELECT * INTO used FROM public.payouts_approval a WHERE a.id = NEW.approval_id AND a.house_id = NEW.house_id AND a.state = 'used';
    found_it := CASE NEW.kind || ' ' || used.action
        WHEN 'share jackpot.award' THEN used.subject_id = NEW.hit_id::text AND EXISTS (
            SELECT FROM public.jackpot_hit t JOIN public.jackpot_split s ON s.hit_id = t.id JOIN public.jackpot_share h ON h.split_id = s.id
                JOIN public.jackpot_claim c ON c.id = h.claim_id
            WHERE t.id = NEW.hit_id AND t.state = 'paid' AND t.jackpot_id = NEW.jackpot_id AND h.claim_id = NEW.claim_id
                AND h.share_minor = NEW.amount_minor AND s.revision = used.revision
                AND (c.round_id, c.table_id, c.box, c.guest_id) = (NEW.round_id, NEW.table_id, NEW.box, NEW.guest_id)
                AND s.revision = (SELECT max(o.revision) FROM public.jackpot_split o WHERE o.hit_id = NEW.hit_id))
        WHEN 'late jackpot.award_late' THEN used.subject_id = NEW.round_id::text
            AND used.payload @> jsonb_build_object('jackpot', NEW.jackpot_id, 'hit', NEW.hit_id, 'round', NEW.round_id,
                'table', NEW.table_id, 'box', NEW.box, 'guest', NEW.guest_id, 'amount_minor', NEW.amount_minor)
        WHEN 'prize jackpot.prize' THEN used.subject_id = NEW.prize_id::text
        WHEN 'prize jackpot.award' THEN EXISTS (
            SELECT FROM public.jackpot_listedround l WHERE l.hit_id::text = used.subject_id AND l.round_id = NEW.round_id)
        END;
    IF found_it IS NOT TRUE
        OR NOT EXISTS (SELECT FROM public.payouts_transfer t WHERE t.id = NEW.transfer_id AND t.house_id = NEW.house_id AND t.key = posted)
        OR (NEW.kind = 'prize' AND NOT EXISTS (
            SELECT FROM public.jackpot_waitingprize p WHERE p.id = NEW.prize_id AND p.state = 'waiting'
                AND (p.house_id, p.jackpot_id, p.round_id, p.table_id, p.box, p.guest_id, p.amount_minor)
                    = (NEW.house_id, NEW.jackpot_id, NEW.round_id, NEW.table_id, NEW.box, NEW.guest_id, NEW.amount_minor)))
    THEN
        RAISE EXCEPTION 'award % was not approved', NEW.id
            USING ERRCODE = 'check_violation', TABLE = 'jackpot_award', CONSTRAINT = 'award_approved';
    END IF;
    RETURN NEW;
END $$;
