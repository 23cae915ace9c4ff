"""Games before their first card: making, inviting, open places, rematches, and "never invite me".

Others make a game with `making.create_game`, read addresses with `making.checked_address` and
`making.foreign_address`, look people up with `never_invite.is_listed`, list games with
`games_list.situation`, and run what is due with `expiry.look`. Orders come in through `new_game`,
`open_games`, `rematch`, `table_orders` and `never_invite`.
"""
