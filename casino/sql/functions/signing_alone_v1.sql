-- An operator lets one do it alone by ALTER DATABASE ... SET saalchef.signing_roles_alone = 'on', for which PostgreSQL wants a superuser.
CREATE OR REPLACE FUNCTION signing_alone_v1() RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM pg_catalog.pg_db_role_setting s JOIN pg_catalog.pg_database d ON d.oid = s.setdatabase
        WHERE d.datname = current_database() AND s.setrole = 0 AND 'saalchef.signing_roles_alone=on' = ANY (s.setconfig))
$$;
