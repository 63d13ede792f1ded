module example.test/hazards

go 1.26

require example.test/third v0.0.0

replace example.test/third => ./third
