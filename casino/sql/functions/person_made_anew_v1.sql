-- Whether the person was made anew within 24 hours, by that person, or by anybody else when none is given. A new name is nothing.
CREATE OR REPLACE FUNCTION person_made_anew_v1(p_person uuid, p_by uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM public.payouts_event e
        WHERE e.subject_kind = 'person' AND e.subject_id = p_person::text
            AND e.at > clock_timestamp() - interval '24 hours'
            AND e.actor_id <> p_person AND (p_by IS NULL OR e.actor_id = p_by)
            AND (e.name IN ('person.created', 'password.reset', 'sign_in.second_factor_reset', 'person.activated')
                OR e.name = 'person.changed' AND (e.before -> 'roles', e.before -> 'house')
                    IS DISTINCT FROM (e.after -> 'roles', e.after -> 'house')))
$$;
