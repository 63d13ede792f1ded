package scenarios

// ShrinkWithin is Shrink with another limit than MaxTrials.
var ShrinkWithin = (*Story).shrinkWithin
