T1|rmw(x=5)|f.c:1
