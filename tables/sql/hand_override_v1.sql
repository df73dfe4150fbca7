-- What management paid for a fault is of its hand's house.
ALTER TABLE public.tables_handoverride ADD CONSTRAINT hand_override_of_house
    FOREIGN KEY (hand_id, house_id) REFERENCES public.tables_hand (id, house_id);
