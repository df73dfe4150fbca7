-- Whether a payment was made a moment ago: by the clock, and by the log, in which nothing that came after it lies beyond the minute.
-- A clock that was set back, or on, makes nothing last longer.
CREATE OR REPLACE FUNCTION slip_fresh_v1(slip uuid) RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT EXISTS (
        SELECT FROM public.jackpot_slip s WHERE s.id = slip AND s.state = 'paid'
            AND abs(extract(epoch FROM clock_timestamp() - s.paid_at)) <= 60
            AND NOT EXISTS (
                SELECT FROM public.payouts_event paid JOIN public.payouts_event later ON later.id > paid.id
                WHERE (paid.subject_kind, paid.subject_id, paid.name) = ('slip', s.id::text, 'slip.paid')
                    AND later.at > s.paid_at + interval '60 seconds'))
$$;
