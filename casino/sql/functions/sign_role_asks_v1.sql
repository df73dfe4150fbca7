-- Whether these roles give the person a signature that he `p_had` not, and the house has one more than enough others who sign for
-- that: two managers, as the matrix begins.
CREATE OR REPLACE FUNCTION sign_role_asks_v1(p_person uuid, p_house uuid, p_roles text[], p_had text[]) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT NOT signing_alone_v1()
        AND EXISTS (SELECT FROM unnest(p_roles) AS given
            WHERE given = ANY (signing_roles_v1(p_house)) AND NOT given = ANY (p_had))
        AND EXISTS (
            SELECT FROM (
                SELECT roles, signers FROM public.payouts_approvalrule
                WHERE house_id = p_house AND action = 'person.sign_role' ORDER BY version DESC LIMIT 1
            ) line WHERE line.signers < (SELECT count(*) FROM public.casino_person p
                WHERE p.id <> p_person AND could_sign_v1(p, p_house, line.roles::text[])))
$$;
