CREATE OR REPLACE FUNCTION split_shares_add_up_v1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    split bigint := to_jsonb(NEW) ->> TG_ARGV[0];
BEGIN
    IF EXISTS (SELECT FROM public.jackpot_split s WHERE s.id = split AND s.won_minor - s.remainder_minor
               <> (SELECT coalesce(sum(h.share_minor), 0) FROM public.jackpot_share h WHERE h.split_id = s.id))
    THEN
        RAISE EXCEPTION 'the shares of split % do not add up', split
            USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
    END IF;
    RETURN NULL;
END $$;
