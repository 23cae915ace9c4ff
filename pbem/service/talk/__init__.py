"""What players say to each other: the orders, and when the words leave.

Others call `talking.deliver`.
"""
