"""Replies as mail programs of the world write them, put together from a seed.

The texts here were written from knowledge of the programs, without looking at what the extractor
knows: they measure how well it reads mails that it was not made for.
"""
