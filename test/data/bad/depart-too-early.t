T1|arrive(b,2)|f.c:1
T1|depart(b)|f.c:1
