# Threads that nobody forks, one that is joined all the same, joins twice, a
# thread without events, one joined while it waits.
A|w(x=1)|
B|r(x=1)|
A|fork(C)|
C|acq(m)|
C|wait(c,m)|
B|acq(m)|
B|rel(m)|
A|join(C)|
A|join(C)|
B|w(x=2)|
A|join(B)|
A|r(x=2)|
A|fork(D)|
A|join(nobody)|
