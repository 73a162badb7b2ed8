== who writes last
T1|w(x=1)
T2|w(x=2)
ok rf,value,sliced final 0 : 1 0
no rf final 0 : 0 1 : does not leave another value
no rf final 1 : 0 1 : does not leave another value
no rf final 0 : 0 : lacks events
no rf final 0 : : lacks events

== all reads are preserved, the last of a thread too
T1|w(x=1)
T2|w(x=2)
T2|r(x=2)
ok rf final 0 : 1 2 0
no rf,value,sliced final 0 : 1 0 2 : does not see what it saw
no rf final 2 : 1 2 0 : is no write

== under value the value must differ
T1|w(x=1)
T2|w(x=1)
ok rf final 0 : 1 0
no value,sliced final 0 : 1 0 : does not leave another value

== one atom of several is enough
T1|w(x+0:8=1)
T2|w(x+4:4=7)
ok rf,value final 0 : 1 0
no rf final 0 : 0 1 : does not leave another value
no rf final 1 : 0 1 : does not leave another value

== atomic sets stay intact
T1|w(x)
T1|r(x)
T2|w(x)
ok lattice final 0 : 2 0 1
no lattice final 0 : 0 2 1 : step
