"""How people stand: leagues, ladders and ratings.

Of leagues: who joins, when rounds begin and end, what is mailed of it, and whether a log holds.

Others call `orders` for what people write, `rounds.look` when the clock ticks, `telling` for what mails
say, `verify` for checks and files, `ladder` for challenges and the order that they make, `ratings` for
both lists of people.
"""
