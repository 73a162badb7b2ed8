# Release and acquire through the flag.
# race: none
T1|w(x=1)|a.c:0
T1|aw(f=1)|a.c:1
T2|ar(f=1)|a.c:2
T2|r(x=1)|a.c:3
