"""The user's checkout, read and never written: its policy, its branch, its source."""
