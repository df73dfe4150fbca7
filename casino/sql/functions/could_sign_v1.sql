-- Whether the person could sign, for these roles of the house, what a line of its matrix asks for, or could within the last 24 hours.
CREATE OR REPLACE FUNCTION could_sign_v1(p_person public.casino_person, p_house uuid, p_roles text[]) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT p_person.house_id = p_house AND p_person.is_active AND p_person.roles::text[] && p_roles
        OR EXISTS (SELECT FROM public.payouts_event e
            WHERE e.subject_kind = 'person' AND e.subject_id = p_person.id::text AND e.at > clock_timestamp() - interval '24 hours'
                AND (e.name = 'person.deactivated' AND p_person.house_id = p_house AND p_person.roles::text[] && p_roles
                    OR e.name = 'person.changed' AND e.before ->> 'house' = p_house::text AND e.before -> 'roles' ?| p_roles))
$$;
