"""Lazy import and construction of objects.

A command that lists games needs neither templates nor the mail parser process, whose import would
take most of its time.
"""

from __future__ import annotations

import threading
from importlib import import_module


class LazyProxy:
    """Proxy for an object that is created on first access to an attribute. Thread-safe.

    Args:
        module: module of the class, e.g. `pbem.mail_out.render`.
        name: name of the class.
        given: constructor arguments.
    """

    def __init__(self, module: str, name: str, *given: object) -> None:
        self._make = module, name, given
        self._lock = threading.Lock()

    def __getattr__(self, attribute: str) -> object:
        with self._lock:
            if "_made" not in self.__dict__:
                module, name, given = self._make
                self._made = getattr(import_module(module), name)(*given)
        value: object = getattr(self._made, attribute)
        if callable(value):  # cache the method, which does not change
            self.__dict__[attribute] = value
        return value
