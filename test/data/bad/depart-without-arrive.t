T1|depart(b)|f.c:1
