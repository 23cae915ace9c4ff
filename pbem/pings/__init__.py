"""Short notes to where a player wants them: the second sink of the outbox.

`services` has a row for each service that can be asked to tell somebody; `sending.PingDelivery` hands a note
on. Nothing here knows of games or mails, and nothing logs: a place belongs to a person.
"""
