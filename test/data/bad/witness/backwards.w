omen-witness 1
trace @ 10
model rf
claim race 7 8
run T2 3 1
end
