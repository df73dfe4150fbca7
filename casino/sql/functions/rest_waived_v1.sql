-- Whether nobody rests from this act yet. A fresh meter is money: what lowers it waits like
-- everywhere.
CREATE OR REPLACE FUNCTION rest_waived_v1(p_house uuid, p_action text) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT p_action IN ('posted_table.release', 'person.sign_role')
        AND NOT house_has_locked_v1(p_house)
$$;
