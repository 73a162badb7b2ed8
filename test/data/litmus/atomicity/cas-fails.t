# The compare-exchange wants the 1 that the block leaves: inside the block it
# would fail and write nothing.
# atomicity: none
T1|begin(put)|a.c:1
T1|ar(flag=0)|a.c:2
T1|aw(flag=1)|a.c:3
T1|end(put)|a.c:4
T2|rmw.cas(flag=1:0)|b.c:1
