"""Non-interference: what a reader is told does not depend on cards that the reader cannot know."""
