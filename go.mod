module github.com/ackgap/ackgap

go 1.26
