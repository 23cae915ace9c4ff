"""Long trials, which kill or flood the service, mutate the rules, and compare possible deals.

`make chaos`, `upgrade`, `soak`, `leaks`, `fuzz` and `mutation` run them at full length. Most have a short
run as a test in the same folder. They import helpers of `tests` and `bench`. No other tests import them.
"""
