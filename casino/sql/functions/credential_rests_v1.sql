-- Whether the person signs, and rests because nobody has seen his sign-in: as long as somebody
-- could whose own was seen, and who has not set it himself.
CREATE OR REPLACE FUNCTION credential_rests_v1(p_person uuid, p_house uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM credential_unseen_v1(p_person, p_house))
        AND EXISTS (SELECT FROM public.casino_person p WHERE p.id = p_person
            AND p.roles::text[] && signing_roles_v1(p_house))
        AND (NOT log_turned_v1((SELECT max(u.id) FROM credential_unseen_v1(p_person, p_house) u))
            OR EXISTS (
                SELECT FROM (
                    SELECT roles FROM public.payouts_approvalrule
                    WHERE house_id = p_house AND action = 'person.credential'
                        ORDER BY version DESC LIMIT 1
                ) line JOIN public.casino_person m ON could_sign_v1(m, p_house, line.roles::text[])
                WHERE m.id <> p_person AND NOT EXISTS (SELECT FROM credential_unseen_v1(m.id,
                    p_house))
                    AND NOT EXISTS (SELECT FROM credential_unseen_v1(p_person, p_house) u
                        WHERE u.setter = m.id)))
$$;
