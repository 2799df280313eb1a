"""A client on pyiec61850-ng (libiec61850) that commands control objects; prints `ready`. Objects are LD/LN.DO. Commands, see lines.py:

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
  close                         concludes
"""

import queue

import pyiec61850.pyiec61850 as lib

from lib_connection import associated, good
from lines import serve

END_S = 5


class Ended(lib.CommandTermHandler):
    """Puts each CommandTermination into a queue."""

    def __init__(self, ended):
        lib.CommandTermHandler.__init__(self)
        self.ended = ended

    def trigger(self):
        told = lib.ControlObjectClient_getLastApplError(self._libiec61850_control_object_client)
        self.ended.put([told.error, told.addCause])


class Client:
    def __init__(self):
        self.connection, self.objects = None, {}

    def run(self, name, *rest):
        return getattr(self, name)(*rest)

    def connect(self, port, octets=65000):
        self.connection = associated(port, octets)

    def object(self, reference):
        if reference not in self.objects:
            control = lib.ControlObjectClient_create(reference, self.connection)
            if not control:
                raise ValueError(f"the library finds no control object {reference}")
            lib.ControlObjectClient_setOrigin(control, "interop", 3)
            ended = queue.Queue()
            handler, subscriber = Ended(ended), lib.CommandTermSubscriber()
            subscriber.setLibiec61850ControlObjectClient(control)
            subscriber.setEventHandler(handler)
            subscriber.subscribe()
            self.objects[reference] = (control, ended, handler, subscriber)
        return self.objects[reference]

    def control(self, reference):
        return self.object(reference)[0]

    def model(self, reference):
        return lib.ControlObjectClient_getControlModel(self.control(reference))

    def checks(self, reference, test, interlock):
        lib.ControlObjectClient_setTestMode(self.control(reference), test)
        lib.ControlObjectClient_setInterlockCheck(self.control(reference), interlock)

    def select(self, reference):
        return lib.ControlObjectClient_select(self.control(reference))

    def select_value(self, reference, value):
        return lib.ControlObjectClient_selectWithValue(self.control(reference), self.value(value))

    def operate(self, reference, value):
        return lib.ControlObjectClient_operate(self.control(reference), self.value(value), 0)

    def cancel(self, reference):
        return lib.ControlObjectClient_cancel(self.control(reference))

    def cause(self, reference):
        told = lib.ControlObjectClient_getLastApplError(self.control(reference))
        return [told.error, told.addCause]

    def ended(self, reference):
        try:
            return self.object(reference)[1].get(timeout=END_S)
        except queue.Empty:
            return None

    def value(self, value):
        return lib.MmsValue_newBoolean(value) if isinstance(value, bool) else lib.MmsValue_newFloat(float(value))

    def drop(self):
        lib.IedConnection_close(self.connection)

    def close(self):
        good(lib.IedConnection_release(self.connection))


serve(Client().run)
