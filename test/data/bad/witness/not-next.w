omen-witness 1
trace @ 10
model rf
claim race 7 9
run T1 0 4
run T2 0 3
end
