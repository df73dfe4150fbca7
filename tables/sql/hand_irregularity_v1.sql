-- What went wrong in a hand is of its house.
ALTER TABLE public.tables_handirregularity ADD CONSTRAINT hand_irregularity_of_house
    FOREIGN KEY (hand_id, house_id) REFERENCES public.tables_hand (id, house_id);
