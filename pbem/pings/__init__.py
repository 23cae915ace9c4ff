"""Short notifications through services that players choose: the second sink of the outbox.

`services` has a row for each supported service, and `sending.PingDelivery` sends a notification.
This package is independent of games and messages and logs nothing, because targets are personal
data.
"""
