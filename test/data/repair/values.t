*|init(z=1)|
T1|w(x=5)|f.c:1
T2|r(x=6)|f.c:7
T2|rmw(x=7:8)|f.c:8
T1|r(x=8)|f.c:2
T1|r(z=2)|f.c:3
