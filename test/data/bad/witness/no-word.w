omen-witness 1
trace @ 10
model rf
claim misuse 1
end
