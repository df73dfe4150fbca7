-- Whether people have approved, and not used elsewhere, the payment of exactly the claims of a hit that stand: every claim is decided,
-- and the verified ones are those of the newest split.
CREATE OR REPLACE FUNCTION hit_approved_v1(p_hit uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM public.jackpot_split s JOIN public.payouts_approval a ON a.house_id = s.house_id
            AND a.action = 'jackpot.award' AND a.state = 'used' AND a.subject_id = p_hit::text AND a.revision = s.revision
        WHERE s.hit_id = p_hit AND s.revision = (SELECT max(o.revision) FROM public.jackpot_split o WHERE o.hit_id = p_hit)
            AND NOT EXISTS (SELECT FROM public.jackpot_claim c FULL JOIN public.jackpot_share h ON h.claim_id = c.id AND h.split_id = s.id
                            WHERE (c.hit_id = p_hit OR h.split_id = s.id) AND (c.state IN ('called', 'open')
                                OR (c.state = 'verified') IS DISTINCT FROM (h.id IS NOT NULL))))
$$;
