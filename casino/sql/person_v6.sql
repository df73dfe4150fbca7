-- A sign-in that another sets anew takes its PIN with it, and ends what was begun on tablets.
CREATE FUNCTION credential_reset_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE public.casino_person SET pin = '' WHERE id = NEW.subject_id::uuid;
    UPDATE public.casino_devicesession
        SET ended_at = statement_timestamp(), ended_as = 'barred', ended_by_id = NEW.actor_id
        WHERE person_id = NEW.subject_id::uuid AND ended_at IS NULL;
    RETURN NEW;
END $$;
CREATE TRIGGER credential_reset BEFORE INSERT ON public.payouts_event
    FOR EACH ROW
        WHEN (((new.name)::text = ANY (ARRAY['password.reset'::text,
            'sign_in.second_factor_reset'::text])))
        EXECUTE FUNCTION credential_reset_v1();
ALTER TABLE public.payouts_event ENABLE ALWAYS TRIGGER credential_reset;

-- Whether the person ever asked for an award, dealt or entered its round, or ever looked at its
-- claim: who did so last is not alone in it.
CREATE OR REPLACE FUNCTION took_part_in_award_v1(p_award uuid, p_person uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM public.jackpot_award w
            LEFT JOIN public.payouts_approval a ON a.id = w.approval_id
            LEFT JOIN public.jackpot_waitingprize p ON p.id = w.prize_id
        WHERE w.id = p_award AND (p_person = ANY (p.dealers)
            OR EXISTS (SELECT FROM public.payouts_approval r
                WHERE r.house_id = w.house_id AND r.requester_id = p_person
                    AND ((r.action, r.subject_kind, r.subject_id)
                            = (a.action, a.subject_kind, a.subject_id)
                        OR (r.action, r.subject_kind, r.subject_id)
                            = ('jackpot.prize', 'prize', w.prize_id::text)))
            OR a.subject_kind = 'round' AND p_person = ANY (a.excluded)
            OR p_person IN (SELECT round_authors_v1(w.round_id))
            OR EXISTS (SELECT FROM public.jackpot_claim c WHERE c.hit_id = w.hit_id
                AND c.round_id = w.round_id
                AND (p_person IN (c.decided_by_id, c.made_by_id) OR p_person = ANY (c.dealers)
                    OR EXISTS (SELECT FROM public.payouts_event e
                        WHERE e.subject_kind = 'claim' AND e.subject_id = c.id::text
                            AND e.name IN ('claim.verified', 'claim.refused')
                            AND e.actor_id = p_person)))))
$$;
