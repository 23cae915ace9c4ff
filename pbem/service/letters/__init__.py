"""The content of mails: contents by kind, rendering, answers to questions.

Others call `contents.build` and `rendering.render`.
"""
