def ok():
    pass

def broken(:
    pass

x = (1,
