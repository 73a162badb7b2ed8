# As cas-fails, but a fetch-and-add writes whatever it reads.
# race: 0-2
T1|r(x=0)|a.c:1
T1|aw(x=1)|a.c:2
T2|rmw(x=1:2)|b.c:1
