"""Check non-interference: hidden cards must not influence the output for a reader."""
