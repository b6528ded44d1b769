import json
__all__ = ["first", "Second"]
__all__ += ["third"]


def first(): pass


class Second: pass


def other(): pass
