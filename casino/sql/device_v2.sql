-- Displays: a device's jackpot is its house's, and the code that enrolled it was made for that jackpot. A key of a pair of which one
-- part is empty is not asked, so each device has that of its table or that of its jackpot.
ALTER TABLE public.casino_devicecode ADD CONSTRAINT device_code_jackpot_of_house
    FOREIGN KEY (jackpot_id, house_id) REFERENCES public.jackpot_jackpot (id, house_id);
ALTER TABLE public.casino_device ADD CONSTRAINT device_jackpot_of_house
    FOREIGN KEY (jackpot_id, house_id) REFERENCES public.jackpot_jackpot (id, house_id);
ALTER TABLE public.casino_device ADD CONSTRAINT device_code_of_its_jackpot
    FOREIGN KEY (code_id, house_id, jackpot_id) REFERENCES public.casino_devicecode (id, house_id, jackpot_id);
