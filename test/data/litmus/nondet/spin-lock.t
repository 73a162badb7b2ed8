# Whoever finds the lock taken may have found it so by another failed try, and that
# one by another: there are as many such chains as orders of the tries, but only
# the last of a thread can be in one.
# nondet: 0<1:wcr 12<1:cr 12<2:cr 12<3:cr 12<4:cr 12<5:cr 12<6:cr
# nondet: 12<7:cr 12<8:cr 12<9:cr 12<10:wcr 12<21:wcr 13<21:wcr
# nondet: 14<21:wcr 15<21:wcr 16<21:wcr 17<21:wcr 18<21:wcr 19<21:wcr
# nondet: 20<21:wcr 1<10:wcr 1<12:wcr 1<-1:crw 2<10:wcr 2<12:wcr
# nondet: 3<10:wcr 3<12:wcr 4<10:wcr 4<12:wcr 5<10:wcr 5<12:wcr
# nondet: 6<10:wcr 6<12:wcr 7<10:wcr 7<12:wcr 8<10:wcr 8<12:wcr
# nondet: 9<10:wcr 9<12:wcr 11<9:crw 11<12:wcr
*|init(f=0)|
T1|rmw(f=0:1)|spin.c:1
T2|rmw(f=1:1)|spin.c:2
T2|rmw(f=1:1)|spin.c:2
T2|rmw(f=1:1)|spin.c:2
T2|rmw(f=1:1)|spin.c:2
T2|rmw(f=1:1)|spin.c:2
T2|rmw(f=1:1)|spin.c:2
T2|rmw(f=1:1)|spin.c:2
T2|rmw(f=1:1)|spin.c:2
T2|rmw(f=1:1)|spin.c:2
T1|aw(f=0)|spin.c:1
T2|rmw(f=0:1)|spin.c:2
T1|rmw(f=1:1)|spin.c:1
T1|rmw(f=1:1)|spin.c:1
T1|rmw(f=1:1)|spin.c:1
T1|rmw(f=1:1)|spin.c:1
T1|rmw(f=1:1)|spin.c:1
T1|rmw(f=1:1)|spin.c:1
T1|rmw(f=1:1)|spin.c:1
T1|rmw(f=1:1)|spin.c:1
T1|rmw(f=1:1)|spin.c:1
T2|aw(f=0)|spin.c:2
