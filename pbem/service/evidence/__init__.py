"""What happened and why: audits, previews, dispute bundles, the replay page.

Others call `auditing.audit`, `bundles.make_bundle`, `reopen_bundle.open_bundle`,
`previewing.preview` and `replay_page.page_data`.
"""
