"""What happened and why: audits, previews, dispute bundles, the page of a replay."""
