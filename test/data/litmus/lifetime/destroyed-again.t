# It was made again before the other thread was told of it.
T1|w.gone(m+40:1=1)
T1|w(m+40:1=0)
T1|up(s)
T2|down(s)
T2|ar.rlx(m+40:1=0)
T2|acq(m)
T2|rel(m)
