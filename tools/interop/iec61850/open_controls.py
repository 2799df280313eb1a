"""A server on open61850 with control objects of all four control models (controls.cid); prints `ready`. Commands, see lines.py and
control_orders.py:

  start                     listens; answers the port
"""

import pathlib

from open61850.server import IedModel, MmsServer

from control_orders import ControlOrders
from lines import serve

FILE = pathlib.Path(__file__).with_name("controls.cid")
NODE = "CTRLLD0/GGIO1"
OBJECTS = ["SPCSO1", "SPCSO2", "SPCSO3", "SPCSO4", "DPCSO1", "AnOut1"]


def plain(value):
    members = getattr(value, "members", None)
    number = plain(members[0]) if members else value.value
    return int(number) if isinstance(number, bool) else number


class Server(ControlOrders):
    def __init__(self):
        super().__init__()
        self.model = IedModel.from_scl(str(FILE))
        self.server = MmsServer(self.model, "127.0.0.1", 0)

    def note(self, name, command):
        self.done.append([name, plain(command.ctl_val), command.origin.members[0].value, command.ctl_num, command.test])

    def checked(self, name, command):
        """Refuses once what it was told to refuse. The package carries no command with Test set out: what is accepted is noted here."""
        cause = self.refusals.pop(name, None)
        if cause is None and command.test:
            self.note(name, command)
        return cause

    def carried_out(self, name, command):
        cause = self.failures.pop(name, None)
        if cause is not None:
            return cause
        self.note(name, command)
        if name == "AnOut1":
            self.model.set(f"{NODE}$MX$AnOut1$mxVal$f", command.ctl_val.members[0])
            return None
        return self.server.controls.default_handler(command)

    def start(self):
        self.server.start()
        for name in OBJECTS:
            self.server.controls.set_check(f"{NODE}.{name}", lambda command, name=name: self.checked(name, command))
            self.server.controls.set_handler(f"{NODE}.{name}", lambda command, name=name: self.carried_out(name, command))
        return self.server.port

    def run(self, name, *rest):
        if name == "start":
            return self.start()
        return super().run(name, *rest)


serve(Server().run)
