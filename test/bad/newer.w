omen-witness 2
