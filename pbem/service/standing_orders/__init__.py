"""`next:`, `drawing:`, `try`, `tutorial`: standing orders, dry runs and the tutorial.

Entry points: `giving.order_next`, `giving.rule_drawing`, `giving.try_order`,
`standing_words.describe_standing` and `tutor.says`.
"""
