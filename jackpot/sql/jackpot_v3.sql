-- Whether people have approved an act on a jackpot for the phase that holds since then: asked for in it, and used in it. What was asked
-- for before is about something else.
CREATE OR REPLACE FUNCTION jackpot_allowed_v1(p_jackpot uuid, p_action text, p_since timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM public.payouts_approval a JOIN public.jackpot_jackpot j ON j.house_id = a.house_id
                   WHERE j.id = p_jackpot AND a.action = p_action AND a.state = 'used' AND a.closed_at >= p_since
                       AND a.requested_at >= p_since AND a.subject_id = p_jackpot::text)
$$;
