-- Whether the person asked for an award, dealt or entered its round, or looked at its claim.
CREATE OR REPLACE FUNCTION took_part_in_award_v1(p_award uuid, p_person uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM public.jackpot_award w
            LEFT JOIN public.payouts_approval a ON a.id = w.approval_id
            LEFT JOIN public.jackpot_waitingprize p ON p.id = w.prize_id
        WHERE w.id = p_award AND (a.requester_id = p_person OR p_person = ANY (p.dealers)
            OR a.subject_kind = 'round' AND p_person = ANY (a.excluded)
            OR p_person IN (SELECT round_authors_v1(w.round_id))
            OR EXISTS (SELECT FROM public.jackpot_claim c WHERE c.hit_id = w.hit_id
                AND c.round_id = w.round_id
                AND (p_person IN (c.decided_by_id, c.made_by_id) OR p_person = ANY (c.dealers)))))
$$;
