"""Queue messages to players and admins: notifications, refusals, questions, alerts, talk.

Entry points: `mailings.queue`, `intentions.queue_to_player`, `questions.ask`, `refusing.refuse`,
`to_admins.queue`, `talking.untold` and `talking.speeches`. `pbem.service.change` calls
`talking.deliver`.
"""
