# A lock taken while another thread has it: the base order delays it.
T0|fork(T1)|
T0|acq(m)|
T1|acq(m)|
T0|w(x=1)|
T0|rel(m)|
T1|r(x=1)|
T1|rel(m)|
T0|join(T1)|
