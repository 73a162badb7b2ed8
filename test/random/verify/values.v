== under value another write of the same value will do
T1|w(x=1)
T2|w(x=1)
T3|r(x=1)
T3|w(y)
T4|w(x=2)
ok value,sliced pattern 3 : 0 2 3
no rf pattern 3 : 0 2 3 : step 2: T3:0 r(x=1): sees T1:0 w(x=1), which is not what it saw in the trace
ok rf pattern 3 : 0 1 2 3
no rf,value pattern 3 : 0 1 4 2 3 : sees T4:0 w(x=2)
ok rf,value pattern 2 : 0 1 4 2
no rf,value race 3 4 : 2 : conflict

== values that are not known compare as rf
T1|w(x)
T2|w(x)
T3|r(x)
T3|w(y)
T4|r(y)
no value race 3 4 : 0 2 : claim: T3:0 r(x): sees T1:0 w(x)
ok value race 3 4 : 0 1 2
ok value race 3 4 : 1 2
no value race 3 4 : 2 : sees the initial value

== a known value and an unknown one compare as rf
T1|w(x=1)
T2|w(x)
T3|r(x=1)
T3|w(y)
ok value pattern 3 : 1 2 3
ok value pattern 3 : 0 2 3

== integers and symbols are not the same
T1|w(x=a)
T2|w(x=0)
T3|w(y=a)
T3|r(x=0)
T3|w(z)
ok value pattern 4 : 0 1 2 3 4
no value pattern 4 : 0 2 3 4 : sees T1:0 w(x=a)

== a symbol and a pointer
T1|alloc(p,8)
T1|w(x=&p)
T2|w(x=a)
T3|r(x=a)
T3|w(z)
no value pattern 4 : 0 1 3 4 : sees T1:1 w(x=&p)
ok value pattern 4 : 2 3 4

== minus one and the largest unsigned are the same bits
T1|w(x=-1)
T2|w(x=18446744073709551615)
T3|r(x=18446744073709551615)
T3|w(y)
ok value pattern 3 : 0 2 3
ok value pattern 3 : 1 2 3

== bytes compare as bytes
T1|w(x+0:4=0x01020304)
T2|w(x+0:2=0x0304)
T3|r(x+0:2=0x0304)
T3|w(y)
T4|w(x+0:2=0x0305)
ok value pattern 3 : 0 2 3
ok value pattern 3 : 1 2 3
no value pattern 3 : 4 2 3 : sees T4:0

== a byte from the middle
T1|w(x+0:4=0x01020304)
T3|r(x+2:1=2)
T3|w(y)
T2|w(x+2:2=0xff02)
T2|w(x+0:4=0xffffff02)
ok value pattern 2 : 3 1 2
ok value pattern 2 : 0 1 2
no value pattern 2 : 3 4 1 2 : sees T2:1

== tokens compare with their place in the access
T1|w(x+0:8=a)
T2|w(x+4:8=a)
T3|r(x+4:8=a)
T3|w(y)
T4|r(x+0:4)
ok value pattern 3 : 0 1 2 3
ok value pattern 3 : 1 2 3
no value pattern 3 : 0 2 3 : sees T1:0
no value pattern 3 : 1 0 2 3 : sees T1:0

== a whole value and bytes are not comparable
T1|w(x+0:4=1)
T4|w(x=1)
T2|w(x=1)
T3|r(x+0:4=1)
T3|w(y)
ok value pattern 4 : 0 3 4
ok value pattern 4 : 2 3 4
no value pattern 4 : 1 3 4 : sees T4:0 w(x=1)

== the initial value is that of the init line
*|init(x=7)
T1|w(x=7)
T2|r(x=7)
T2|w(y)
ok value pattern 2 : 1 2
no rf pattern 2 : 1 2 : sees the initial value

== or that of the first read that carries one
T1|r(x)
T2|r(x=7)
T3|w(x=7)
T4|r(x=7)
T4|w(y)
ok value pattern 4 : 3 4
ok value pattern 4 : 2 3 4
no rf pattern 4 : 3 4 : sees the initial value

== an rmw is one step and writes its new value
T1|rmw(x=0:1)
T2|rmw(x=1:2)
T3|ar(x=2)
T3|w(y)
T4|aw(x=1)
ok rf,value pattern 3 : 0-3
ok value pattern 3 : 4 1 2 3
no value pattern 3 : 4 2 3 : sees T4:0
no rf,value pattern 3 : 0 2 3 : sees T1:0

== the write of an rmw whose read is not preserved equals nothing
T1|w(x=1)
T2|rmw(x=1:2)
T3|ar(x=2)
T3|w(y)
ok rf,value pattern 3 : 0-3
no rf,value pattern 3 : 1 2 3 : sees T2:0 rmw(x=1:2)
ok rf,value pattern 2 : 1 2

== reads without a successor are free, before a claimed event they are not
*|init(x=0)
T1|w(x=1)
T2|r(x=1)
T2|w(z=1)
T3|r(z=1)
ok rf,value pattern 1 : 1
ok rf,value race 2 3 : 0 1
no rf,value race 2 3 : 1 : claim: T2:0 r(x=1): sees the initial value

== a free writes what nobody knows
T1|w(x=1)
T2|free(x)
T3|w(x=1)
T4|r(x=1)
T4|w(y)
no value pattern 4 : 0 1 3 4 : sees T2:0 free(x)
ok value pattern 4 : 1 0 3 4
