"""Use cases, each in a unit of work. This layer combines rules, log, messages and time."""
