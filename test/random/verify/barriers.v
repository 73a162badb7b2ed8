== depart after all arrivals, the next round after this one
T1|arrive(b,2)
T2|arrive(b,2)
T1|depart(b)
T2|depart(b)
T1|arrive(b,2)
T2|arrive(b,2)
T1|depart(b)
T2|depart(b)
ok rf pattern 1 0 3 2 : 1 0 3 2
ok rf pattern 5 4 : 0 1 3 5 2 4 6
no rf pattern 2 : 0 2 : step 1: T1:1 depart(b): its round is not complete
no rf pattern 6 : 0 1 2 4 6 : its round is not complete

== arrivals of three threads in rounds of two
T1|arrive(b,2)
T2|arrive(b,2)
T3|arrive(b,2)
T4|arrive(b,2)
T3|depart(b)
ok rf pattern 0 1 2 3 4 : 0-4
ok rf pattern 1 0 3 2 4 : 1 0 3 2 4
no rf pattern 2 : 2 : step 0: T3:0 arrive(b,2): the round before it is not complete
no rf pattern 2 : 0 2 : the round before it is not complete

== a round of three needs all three
T1|arrive(b,3)
T2|arrive(b,3)
T3|arrive(b,3)
T1|depart(b)
no rf pattern 3 : 0 1 3 : its round is not complete
ok rf pattern 3 : 2 1 0 3

== a round that the trace does not complete
T1|arrive(b,2)
T2|arrive(b,2)
T3|arrive(b,2)
ok rf pattern 0 2 : 0 1 2
no rf pattern 2 : 2 : round before
