class A:
    """Doc."""
    # Comment.
    def f(self):
        return 1

import os