# Rounds of two with three threads, a barrier that is left later than reached,
# one whose number changes, and an arrival that nobody follows.
T0|fork(T1)|
T0|fork(T2)|
T0|w(x=1)|
T0|arrive(b,2)|
T1|arrive(b,2)|
T2|arrive(b,2)|
T1|depart(b)|
T1|r(x=1)|
T0|depart(b)|
T0|arrive(b,2)|
T0|depart(b)|
T2|depart(b)|
T0|arrive(late,2)|
T0|w(y=1)|
T1|arrive(late,2)|
T0|depart(late)|
T1|r(y=1)|
T1|depart(late)|
T0|arrive(n,1)|
T0|depart(n)|
T0|arrive(n,2)|
T1|arrive(n,2)|
T1|depart(n)|
T0|depart(n)|
T2|arrive(b,2)|
T0|join(T1)|
