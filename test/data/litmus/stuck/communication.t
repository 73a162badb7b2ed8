# It sleeps with the other lock, which who is to wake it needs first.
# stuck: 0-4 4
T2|acq(a)|f.c:1
T2|rel(a)|f.c:2
T1|acq(a)|f.c:3
T1|acq(l)|f.c:4
T1|wait(c,l)|f.c:5
T2|acq(l)|f.c:6
T2|notify(c)|f.c:7
T2|rel(l)|f.c:8
T1|wake(c,l)|f.c:5
T1|rel(l)|f.c:9
T1|rel(a)|f.c:10
T1|ended()|f.c:11
T2|ended()|f.c:12
