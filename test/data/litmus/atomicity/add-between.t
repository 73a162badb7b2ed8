# As cas-fails, but a fetch-and-add writes whatever it reads.
# atomicity: put R-U-W 1-4-2
T1|begin(put)|a.c:1
T1|ar(flag=0)|a.c:2
T1|aw(flag=1)|a.c:3
T1|end(put)|a.c:4
T2|rmw(flag=1:2)|b.c:1
