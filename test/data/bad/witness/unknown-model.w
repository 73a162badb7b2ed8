omen-witness 1
trace @ 10
model tso
claim race 7 8
end
