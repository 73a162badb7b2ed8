T1|enter(f)|f.c:1
T1|exit(f)|f.c:2
T1|exit(f)|f.c:3
