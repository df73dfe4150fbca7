-- Which server this is: the identifier of its cluster and its timeline. The control file names the timeline of the last checkpoint,
-- which a standby that was promoted a moment ago has still to make.
CREATE OR REPLACE FUNCTION server_v1(OUT system_identifier bigint, OUT timeline integer) LANGUAGE sql STABLE AS $$
    SELECT (SELECT c.system_identifier FROM pg_control_system() c),
        CASE WHEN pg_is_in_recovery() THEN (SELECT c.timeline_id FROM pg_control_checkpoint() c)
            ELSE ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer END
$$;
