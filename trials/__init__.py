"""Long trials, which kill or flood the service, mutate the rules, and compare worlds.

`make chaos`, `upgrade`, `soak`, `leaks`, `fuzz` and `mutation` run them at length. A small run of most is a
test. They import helpers of `tests` and `bench`. No test imports them.
"""
