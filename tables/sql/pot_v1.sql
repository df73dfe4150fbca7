-- Seats, pots and shares of a hand are of its house, and of a result that is recorded.
ALTER TABLE public.tables_handseat ADD CONSTRAINT hand_seat_of_house
    FOREIGN KEY (hand_id, house_id) REFERENCES public.tables_hand (id, house_id);
ALTER TABLE public.tables_handseat ADD CONSTRAINT hand_seat_of_result
    FOREIGN KEY (hand_id, revision) REFERENCES public.tables_handresult (hand_id, revision);
ALTER TABLE public.tables_handseat ADD CONSTRAINT hand_seat_stay_of_house
    FOREIGN KEY (stay_id, house_id) REFERENCES public.tables_pokerstay (guest_id, house_id);
ALTER TABLE public.tables_handpot ADD CONSTRAINT hand_pot_of_house
    FOREIGN KEY (hand_id, house_id) REFERENCES public.tables_hand (id, house_id);
ALTER TABLE public.tables_handpot ADD CONSTRAINT hand_pot_of_result
    FOREIGN KEY (hand_id, revision) REFERENCES public.tables_handresult (hand_id, revision);
ALTER TABLE public.tables_handshare ADD CONSTRAINT hand_share_of_house
    FOREIGN KEY (hand_id, house_id) REFERENCES public.tables_hand (id, house_id);
ALTER TABLE public.tables_handshare ADD CONSTRAINT hand_share_of_pot
    FOREIGN KEY (hand_id, revision, number)
    REFERENCES public.tables_handpot (hand_id, revision, number);
