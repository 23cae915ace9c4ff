"""Parts that are imported and made when they are first used.

A command that lists games needs no templates and no process that reads mails; importing them would take
most of its time.
"""

from __future__ import annotations

import threading
from importlib import import_module


class Later:
    """Stands for an object until somebody asks for one of its attributes; threads share the object.

    Args:
        module: where the class is, as `pbem.mail_out.render`.
        name: of the class.
        given: what it is made of.
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
        if callable(value):  # its methods stay the same
            self.__dict__[attribute] = value
        return value
