T1|w(x=1)|f.c:1
*|init(y=1)|
