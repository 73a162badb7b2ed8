omen-witness 1
trace @ 10
model rf
claim rice 7 8
end
