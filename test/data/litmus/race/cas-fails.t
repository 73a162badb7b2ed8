# Together with the plain read the compare-exchange would see 0 and fail: then
# both only read.
# race: none
T1|r(x=0)|a.c:1
T1|aw(x=1)|a.c:2
T2|rmw.cas(x=1:0)|b.c:1
