"""What a test orders a server with control objects to do, whatever stack it is made of. Commands, see lines.py:

  refuse OBJECT CAUSE       the next check of an object fails with this additional cause
  fail OBJECT CAUSE         the next execution of an object fails with this additional cause
  done                      what was carried out since the last question: [[object, value, orCat, ctlNum, test], ...]
"""


class ControlOrders:
    def __init__(self):
        self.refusals, self.failures, self.done = {}, {}, []

    def run(self, name, *rest):
        if name == "refuse":
            self.refusals[rest[0]] = rest[1]
        elif name == "fail":
            self.failures[rest[0]] = rest[1]
        elif name == "done":
            done, self.done = self.done, []
            return done
        else:
            raise ValueError(f"there is no command {name}")
        return None
