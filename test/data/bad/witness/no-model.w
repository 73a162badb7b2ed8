omen-witness 1
trace @ 10
claim race 7 8
end
