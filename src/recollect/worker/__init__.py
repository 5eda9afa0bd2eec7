"""What happens over time: draining the spool, and the loop that does it."""
