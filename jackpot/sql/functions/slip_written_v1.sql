-- The number of a slip as people write it (`jackpot/rules/slip_number.py`).
CREATE OR REPLACE FUNCTION slip_written_v1(number integer, incarnation bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT number || CASE WHEN incarnation > 1 THEN '-' || upper(to_hex(incarnation)) ELSE '' END
$$;
