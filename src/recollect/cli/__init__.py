"""The command line. Commands import what they need when they run, so the front starts fast."""
