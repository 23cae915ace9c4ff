"""What happened and why: audits, previews, dispute bundles.

Others call `auditing.audit`, `bundles.make_bundle`, `reopen_bundle.open_bundle` and
`previewing.preview`.
"""
