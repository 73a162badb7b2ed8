# A mutex is destroyed under another lock, and taken under that: no race.
# lifetime: 8-3 use-after-destroy
T1|w(m+40:1=0)
T1|fork(T2)
T2|acq(l)
T2|ar.rlx(m+40:1=0)
T2|acq(m)
T2|rel(m)
T2|rel(l)
T1|acq(l)
T1|w.gone(m+40:1=1)
T1|rel(l)
