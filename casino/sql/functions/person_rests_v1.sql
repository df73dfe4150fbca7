CREATE OR REPLACE FUNCTION person_rests_v1(p_person uuid, p_house uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT person_made_anew_v1(p_person, NULL) AND house_has_locked_v1(p_house)
        OR credential_rests_v1(p_person, p_house)
$$;
