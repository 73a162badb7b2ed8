omen-witness 1
trace @ 10
model rf
claim atomicity 1 2 3
end
