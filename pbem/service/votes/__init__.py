"""Joint decisions of a table: motions, replacements, observers.

Others call the orders in `motion_orders`, `offers.propose` and `observing.ask`, and for mails
`motion_words.questions` and `observing.content`.
"""
