# An atomic and a plain access do.
# race: 0-1
T1|aw(x=1)|a.c:0
T2|w(x=2)|a.c:1
