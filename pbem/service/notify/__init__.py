"""What players hear from us and from each other: mails after events, refusals, alerts, talk.

Others call `mailings.queue`, `intentions.queue_to_player`, `questions.ask`, `refusing.refuse`, `to_admins.queue`,
`talking.untold` and `talking.speeches`; `pbem.service.change` calls `talking.deliver`.
"""
