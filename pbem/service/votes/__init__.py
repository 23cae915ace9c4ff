"""Joint decisions of a table: motions, replacements, observers.

Entry points: the orders in `motion_orders`, `offers.propose` and `observing.ask`, and for messages
`motion_words.questions` and `observing.content`.
"""
