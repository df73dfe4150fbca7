"""What came too late or was refused, for the pit to clarify."""
