"""Generate replies in the formats of many mail programs, from a seed.

The texts were written from knowledge of the programs, without looking at the patterns of the
extractor. So they measure how well it reads mails for which it was not written.
"""
