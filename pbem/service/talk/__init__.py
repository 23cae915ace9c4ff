"""What players say to each other: the orders, and when the words leave.

Others call `talking.untold` and `talking.speeches`; `pbem.service.change` calls `talking.deliver`.
"""
