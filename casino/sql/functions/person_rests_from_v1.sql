-- Whose own sign-in nobody has seen sees none, even where the log has ended their rest.
CREATE OR REPLACE FUNCTION person_rests_from_v1(p_person uuid, p_house uuid, p_action text)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT person_made_anew_v1(p_person, NULL) AND NOT rest_waived_v1(p_house, p_action)
        OR credential_rests_v1(p_person, p_house)
        OR p_action = 'person.credential'
            AND EXISTS (SELECT FROM credential_unseen_v1(p_person, p_house))
$$;
