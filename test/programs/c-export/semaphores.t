# Counts: given, changed later, and not given at all.
T0|seminit(s,1)|
T0|fork(T1)|
T0|down(s)|
T1|semfail(s)|
T1|down(pool)|
T1|down(pool)|
T1|semfail(pool)|
T0|up(s)|
T1|down(s)|
T1|up(pool)|
T0|down(pool)|
T0|seminit(s,2)|
T1|down(s)|
T1|down(s)|
T1|semfail(s)|
T0|join(T1)|
