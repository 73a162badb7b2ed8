omen-witness 1
trace abc 10
