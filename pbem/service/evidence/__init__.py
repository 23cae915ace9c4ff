"""Evidence about what happened and why: audits, previews, dispute bundles.

Entry points: `auditing.audit`, `bundles.make_bundle`, `reopen_bundle.open_bundle` and
`previewing.preview`.
"""
