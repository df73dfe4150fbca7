-- Every role that a line of the house's matrix in force names, and the cage: a slip is money.
CREATE OR REPLACE FUNCTION signing_roles_v1(p_house uuid) RETURNS text[] LANGUAGE sql STABLE AS $$
    SELECT array_agg(DISTINCT role) FROM (
        SELECT 'cage' AS role UNION SELECT unnest(line.roles)::text FROM (
            SELECT DISTINCT ON (action) roles FROM public.payouts_approvalrule
                WHERE house_id = p_house ORDER BY action, version DESC
        ) line) named
$$;
