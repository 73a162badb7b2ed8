# Two threads and an account; the traces of the witnesses beside this file.
T1|fork(T2)|bank.c:5
T1|acq(m)|bank.c:10
T1|w(balance=7)|bank.c:11
T1|rel(m)|bank.c:12
T2|acq(m)|bank.c:10
T2|r(balance=7)|bank.c:11
T2|rel(m)|bank.c:12
T2|w(log=1)|bank.c:20
T1|r(log=1)|bank.c:30
T1|r(log=1)|bank.c:31
