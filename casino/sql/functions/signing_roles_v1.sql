-- Every role that a line of the house's matrix in force names.
CREATE OR REPLACE FUNCTION signing_roles_v1(p_house uuid) RETURNS text[] LANGUAGE sql STABLE AS $$
    SELECT coalesce(array_agg(DISTINCT role::text), '{}') FROM (
        SELECT DISTINCT ON (action) roles FROM public.payouts_approvalrule WHERE house_id = p_house ORDER BY action, version DESC
    ) line CROSS JOIN LATERAL unnest(line.roles) AS role
$$;
