"""What a table decides together: motions, offers of seats, onlookers."""
