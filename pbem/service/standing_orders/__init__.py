"""`next:`, `drawing:`, `try`, `tutorial`: later turns, dry runs and lessons.

Others call `giving.order_next`, `giving.rule_drawing`, `giving.try_order`,
`standing_words.what_stands` and `tutor.says`.
"""
