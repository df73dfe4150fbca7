-- Whether the person signs, and rests because nobody has seen their sign-in.
CREATE OR REPLACE FUNCTION credential_rests_v1(p_person uuid, p_house uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN EXISTS (SELECT FROM public.casino_person p WHERE p.id = p_person
            AND p.roles::text[] && signing_roles_v1(p_house))
        THEN credential_waits_v1(p_person, p_house) ELSE false END
$$;
