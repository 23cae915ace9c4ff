"""Short notifications (pings) through services that players choose: the outbox's second sink.

`services` has a row for each supported service, and `sending.PingDelivery` sends a notification.
This package is independent of games and messages and logs nothing, because targets are personal
data.
"""
