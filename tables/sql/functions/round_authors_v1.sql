-- Authors of what a round says are also who claimed or called for it, and who asked for or signed a correction of it. None of them signs
-- that it is voided or paid late.
CREATE OR REPLACE FUNCTION round_authors_v1(p_round uuid) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
    SELECT x.entered_by_id FROM public.tables_roundresult x WHERE x.round_id = p_round
    UNION SELECT c.made_by_id FROM public.jackpot_claim c WHERE c.round_id = p_round AND c.made_by_id IS NOT NULL
    UNION SELECT person FROM public.payouts_approval a LEFT JOIN public.payouts_approvalsignature s ON s.approval_id = a.id
        CROSS JOIN LATERAL (VALUES (a.requester_id), (s.signer_id)) AS took (person)
    WHERE a.subject_kind = 'round' AND a.subject_id = p_round::text AND a.action = 'round.correct' AND a.state = 'used'
        AND person IS NOT NULL
$$;
