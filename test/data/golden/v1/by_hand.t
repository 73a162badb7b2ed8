B|acq(m,try)|f.c:9
B|rel(m)|
A|acq(m)|
A|rel(m)|
