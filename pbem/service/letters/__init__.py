"""Build and render the content of messages, and answers to requests for information.

Entry points: `contents.build` and `rendering.render`.
"""
