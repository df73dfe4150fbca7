"""All tables at a glance, what waits for somebody, and the hand-over of a shift."""
