# The whole and a part of it.
# race: 0-1
T1|w(s+0:4=1)|a.c:0
T2|w(s)|a.c:1
