"""Wrong ideas."""
