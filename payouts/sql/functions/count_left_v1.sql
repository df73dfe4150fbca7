-- What is left of the difference of a signed count, by what has set it back; NULL before.
CREATE OR REPLACE FUNCTION count_left_v1(p_count uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT s.difference_minor - coalesce((SELECT sum(b.amount_minor) FROM public.payouts_countback b
        WHERE b.count_id = p_count), 0)::bigint
    FROM public.payouts_countsignature s WHERE s.count_id = p_count AND s.stands
$$;
