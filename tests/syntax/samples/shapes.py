"""Shapes, in Python."""
from __future__ import annotations

import os, sys as system
import os.path
from typing import List, Optional as Maybe
from . import sibling
from ..pkg.mod import *

LIMIT = 8
_hidden: int = 1
first, second = 1, 2
type Pair[T] = tuple[T, T]


class Shape(Base):
    """A thing with an area."""

    sides: int = 0

    def __init__(self, side):
        self.side = side

    # How large it is.
    @property
    def area(self) -> float:
        local = 1
        return self.side * local

    @staticmethod
    async def make(): ...

    def _secret(self):
        def inner():
            pass
        return inner

    class Part:
        pass


@decorated(1)
def outer(a, b=2, *args, **kw) -> int:
    '''Outer things.

    And more.'''
    return 1
