# A message published through atomics that are too weak. The flag is stored and
# loaded relaxed, so seeing it says nothing about the data: the two accesses to
# data race, though no run of this order ever shows a wrong value on x86. With
# aw.rel and ar.acq in place of aw.rlx and ar.rlx there is no race.
*|init(flag=0)|
main|fork(sender)|message.c:20
main|fork(receiver)|message.c:21
sender|w(data=42)|message.c:5
sender|aw.rlx(flag=1)|message.c:6
receiver|ar.rlx(flag=1)|message.c:11
receiver|branch()|message.c:11
receiver|r(data=42)|message.c:12
main|join(sender)|message.c:22
main|join(receiver)|message.c:23
