# The compare-exchange wants the 0 that is there inside the block, too (under rf
# it has to be the write that it saw).
# atomicity value: put R-U-W 1-5-2
# atomicity sliced: put R-U-W 1-5-2
T1|begin(put)|a.c:1
T1|ar(flag=0)|a.c:2
T1|aw(flag=1)|a.c:3
T1|end(put)|a.c:4
T1|aw(flag=0)|a.c:5
T2|rmw.acq.cas(flag=0:2)|b.c:1
