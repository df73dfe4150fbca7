CREATE OR REPLACE FUNCTION jackpot_turn_v1() RETURNS bigint LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT nextval('public.jackpot_turn')
$$;
