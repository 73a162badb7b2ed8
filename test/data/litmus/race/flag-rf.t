# The flag was seen set: without its write the second access is not reached.
# race: 1-2
T1|w(x=1)|a.c:0
T1|w(flag=1)|a.c:1
T2|r(flag=1)|a.c:2
T2|w(x=2)|a.c:3
