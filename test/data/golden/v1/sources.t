A|acq(l)|1
A|w(x=1)|2
A|rel(l)|3
B|acq(l)|4
B|r(x=1)|5
A|w(y=2)|6
B|rel(l)|7
