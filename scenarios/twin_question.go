package scenarios

import "github.com/ackgap/ackgap/model"

// CouldHaveKnown asks of a run whose broken property is about an effect whether the
// queue could have known better, and returns the property with the answer; nil
// where there is nothing to ask.
//
// The properties are the first of these that is broken: no-duplicate-effect, about
// the earlier of the two deliveries that had an effect; no-loss and drains, about
// any delivery of the job that is lost or stuck. Two effects of one delivery, or
// under two ids, are no matter of the queue's. All other properties are about its
// own record, which it has before it.
func (o *Outcome) CouldHaveKnown(observer model.Proc) (property string, k *Knowledge) {
	for _, name := range []string{"no-duplicate-effect", "no-loss", "drains"} {
		v := o.verdict(name)
		if v.Value != model.Broken {
			continue
		}
		j, n := v.Witness.Job, int32(0)
		if name == "no-duplicate-effect" {
			if n = earlierOfTwo(v.Witness.Events); n == 0 {
				continue
			}
		}
		if k := o.Story.FindTwin(o.History, observer, j, n); k != nil {
			return name, k
		}
	}
	return "", nil
}

// earlierOfTwo returns the earlier of the two deliveries of one id that had an
// effect each; 0 where there are no two.
func earlierOfTwo(e []model.Event) int32 {
	if len(e) < 2 || e[0].N == e[1].N || e[0].ID != e[1].ID {
		return 0
	}
	return min(e[0].N, e[1].N)
}
