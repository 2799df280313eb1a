"""A client on open61850 that commands control objects; prints `ready`. Objects are LD/LN.DO. Commands, see lines.py:

  connect PORT [MOST_OCTETS]    associates
  model OBJECT                  control model that the library reads from the device
  checks OBJECT TEST INTERLOCK  test bit and interlock check of the next services
  select OBJECT                 reads SBO: whether it is selected
  select_value OBJECT VALUE     SBOw: whether it is selected
  operate OBJECT VALUE          Oper: whether it is taken
  cancel OBJECT                 Cancel: whether it is taken
  cause OBJECT                  error and additional cause of the last LastApplError of an object
  ended OBJECT                  waits for the next CommandTermination: [error, additional cause], or null where none comes
  drop                          closes the connection without a word
"""

import queue
from datetime import datetime, timezone

from open61850.data import FloatData, StructureData
from open61850.mms import MmsClient, ObjectName
from open61850.mms.association import AssociationParameters
from open61850.mms.control import LAST_APPL_ERROR, LastApplError, Origin, cancel_value, control_object_name, next_ctl_num, oper_value, read_ctl_model
from open61850.mms.errors import DataAccessError

from lines import serve

END_S = 5
ORIGIN = Origin(3, b"interop")
NO_CAUSE = [0, 0]


class Control:
    """A control object: what its next services carry, and what the device says of it by itself."""

    def __init__(self, name):
        self.name = name
        self.test, self.interlock = False, False
        self.number, self.moment = next_ctl_num(), datetime.now(timezone.utc)
        self.cause = NO_CAUSE
        self.ended = queue.Queue()

    def part(self, service):
        return ObjectName(f"{self.name.item}${service}", self.name.domain)

    def anew(self):
        self.number, self.moment = next_ctl_num(), datetime.now(timezone.utc)

    def value(self, value, make=oper_value, **more):
        ctl_val = value if isinstance(value, bool) else StructureData([FloatData(float(value))])
        return make(ctl_val, origin=ORIGIN, ctl_num=self.number, test=self.test, t=self.moment, **more)

    def oper(self, value):
        return self.value(value, interlock_check=self.interlock, synchro_check=False)

    def on_report(self, report):
        if report.list_name is not None:
            return
        told = [LastApplError.from_data(value) for name, value in zip(report.variables, report.results) if name == LAST_APPL_ERROR]
        if any(not error.control_object.startswith(str(self.name)) for error in told):
            return
        cause = [told[0].error, told[0].add_cause] if told else NO_CAUSE
        if self.part("Oper") in report.variables:
            self.ended.put(cause)
        elif told:
            self.cause = cause


class Client:
    def __init__(self):
        self.client, self.objects = None, {}

    def run(self, name, *rest):
        return getattr(self, name)(*rest)

    def connect(self, port, octets=65000):
        self.client = MmsClient.connect("127.0.0.1", port, association=AssociationParameters(max_pdu_size=octets))

    def object(self, reference):
        if reference not in self.objects:
            self.objects[reference] = Control(control_object_name(reference))
            self.client.add_report_listener(self.objects[reference].on_report)
        return self.objects[reference]

    def write(self, control, service, value):
        control.cause = NO_CAUSE
        try:
            self.client.write(control.part(service), value)
        except DataAccessError:
            return False
        return True

    def model(self, reference):
        return read_ctl_model(self.client, self.object(reference).name)

    def checks(self, reference, test, interlock):
        control = self.object(reference)
        control.test, control.interlock = test, interlock

    def select(self, reference):
        control = self.object(reference)
        control.anew()
        return self.client.read(control.part("SBO")).value != ""

    def select_value(self, reference, value):
        control = self.object(reference)
        control.anew()
        self.last = value
        return self.write(control, "SBOw", control.oper(value))

    def operate(self, reference, value):
        control = self.object(reference)
        return self.write(control, "Oper", control.oper(value))

    def cancel(self, reference):
        control = self.object(reference)
        return self.write(control, "Cancel", control.value(self.last, cancel_value))

    def cause(self, reference):
        return self.object(reference).cause

    def ended(self, reference):
        try:
            return self.object(reference).ended.get(timeout=END_S)
        except queue.Empty:
            return None

    def drop(self):
        self.client.close()


serve(Client().run)
