omen-witness 1
trace @ 9
