-- Whether people have used an approval of this action about this jackpot that was asked for in the phase that holds.
CREATE OR REPLACE FUNCTION jackpot_allowed_v2(p_jackpot uuid, p_action text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM public.payouts_approval a JOIN public.jackpot_jackpot j ON j.house_id = a.house_id
                   WHERE j.id = p_jackpot AND a.action = p_action AND a.state = 'used' AND a.subject_id = p_jackpot::text
                       AND a.payload ->> 'phase_number' = j.phase_number::text)
$$;
