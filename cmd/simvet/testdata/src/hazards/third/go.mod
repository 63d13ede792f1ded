module example.test/third

go 1.26
