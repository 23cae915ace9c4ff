"""Games before their first card: making, inviting, open places and rematches.

Also `never`, which ends invitations. Other packages make a game with `making.create_game`, and read
addresses with `making.checked_address` and `making.foreign_address`. They look people up with
`never_invite.is_listed`, list games with `games_list.situation`, and run what is due with
`expiry.look`. Orders come in through `new_game`, `open_games`, `rematch`, `table_orders` and
`never_invite`.
"""
