omen-witness 1
trace @ 10
model rf
claim race 7 8
run T1 0 4
