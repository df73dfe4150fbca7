"""What all pages with commands share: who may, which house, steps as forms, signatures."""
