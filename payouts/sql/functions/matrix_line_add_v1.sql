-- A new action's first line in the approval matrix of every house that lacks it: houses that were opened before get what new houses
-- start with, and the log says so. A line that a house has stays as it is. For migrations: only the owner role may call it, and
-- `approval_rule_guard` refuses these lines to everybody else.
CREATE OR REPLACE FUNCTION matrix_line_add_v1(p_action text, p_signers int, p_roles text[], p_method text, p_lifetime_s int)
RETURNS void LANGUAGE sql VOLATILE AS $$
    WITH added AS (
        INSERT INTO public.payouts_approvalrule (house_id, action, version, signers, roles, method, lifetime_s)
        SELECT id, p_action, 1, p_signers, p_roles, p_method, p_lifetime_s FROM public.payouts_house
        WHERE NOT EXISTS (
            SELECT FROM public.payouts_approvalrule r WHERE r.house_id = payouts_house.id AND r.action = p_action)
        RETURNING id, house_id
    )
    INSERT INTO public.payouts_event (house_id, name, subject_kind, subject_id, after, reason, request_id)
    SELECT house_id, 'approval_rule.added', 'approval_rule', id::text,
        jsonb_build_object('action', p_action, 'version', 1, 'signers', p_signers, 'roles', p_roles, 'method', p_method,
            'lifetime_s', p_lifetime_s), '', ''
    FROM added
$$;
