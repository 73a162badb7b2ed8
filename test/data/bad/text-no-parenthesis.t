T1|w(x)|f.c:1

# next
T1|w|f.c:2
