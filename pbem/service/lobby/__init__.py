"""Games before the first deal: creation, invitations, open seats, rematches.

`never`, which ends invitations, is handled here as well. Entry points: `creation.create_game`,
`creation.checked_address`, `creation.foreign_address`, `never_invite.is_listed`,
`games_list.situation`, and `expiry.process_due` for what is due. Orders are handled by `new_game`,
`table_orders` and `never_invite`.
"""
