"""A server on pyiec61850-ng (libiec61850) with control objects of all four control models; prints `ready`. Commands, see lines.py and
control_orders.py:

  start PORT                listens; answers the port
  values                    status of the objects: {OBJECT: value}
"""

import socket

import pyiec61850.pyiec61850 as lib

from control_orders import ControlOrders
from lines import serve

COMMON = lib.CDC_CTL_OPTION_ORIGIN | lib.CDC_CTL_OPTION_CTL_NUM | lib.CDC_CTL_OPTION_SBO_TIMEOUT
CANCEL = lib.CDC_CTL_MODEL_HAS_CANCEL
MODELS = [
    lib.CDC_CTL_MODEL_DIRECT_NORMAL,
    lib.CDC_CTL_MODEL_SBO_NORMAL | CANCEL,
    lib.CDC_CTL_MODEL_DIRECT_ENHANCED,
    lib.CDC_CTL_MODEL_SBO_ENHANCED | CANCEL,
]
SELECT_MS = 3000


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Check(lib.CheckHandlerForPython):
    """Refuses once what it was told to refuse."""

    def __init__(self, server, name):
        lib.CheckHandlerForPython.__init__(self)
        self.server, self.name = server, name

    def trigger(self):
        cause = self.server.refusals.pop(self.name, None)
        if cause is None:
            self._libiec61850_check_handler_result = lib.CONTROL_ACCEPTED
            return
        lib.ControlAction_setAddCause(self._libiec61850_control_action, cause)
        self._libiec61850_check_handler_result = lib.CONTROL_OBJECT_ACCESS_DENIED


class Control(lib.ControlHandlerForPython):
    """Carries a command out, or fails once when it was told to."""

    def __init__(self, server, name, status):
        lib.ControlHandlerForPython.__init__(self)
        self.server, self.name, self.status = server, name, status

    def trigger(self):
        action, value = self._libiec61850_control_action, self._libiec61850_mms_value
        cause = self.server.failures.pop(self.name, None)
        if cause is not None:
            lib.ControlAction_setAddCause(action, cause)
            self._libiec61850_control_handler_result = lib.CONTROL_RESULT_FAILED
            return
        test = bool(self._libiec61850_test)
        number = lib.MmsValue_toFloat(lib.MmsValue_getElement(value, 0)) if self.name == "AnOut1" else int(lib.MmsValue_getBoolean(value))
        self.server.done.append([self.name, number, lib.ControlAction_getOrCat(action), lib.ControlAction_getCtlNum(action), test])
        if not test:
            self.server.set_status(self.name, self.status, number)
        self._libiec61850_control_handler_result = lib.CONTROL_RESULT_OK


class Server(ControlOrders):
    def __init__(self):
        super().__init__()
        self.status, self.kept = {}, []
        self.model = lib.IedModel_create("CTRL")
        device = lib.LogicalDevice_create("LD0", self.model)
        lib.LogicalNode_create("LLN0", device)
        node = lib.toModelNode(lib.LogicalNode_create("GGIO1", device))
        made = {f"SPCSO{at + 1}": lib.CDC_SPC_create(f"SPCSO{at + 1}", node, 0, model | COMMON) for at, model in enumerate(MODELS)}
        made["DPCSO1"] = lib.CDC_DPC_create("DPCSO1", node, 0, MODELS[3] | COMMON)
        made["AnOut1"] = lib.CDC_APC_create("AnOut1", node, 0, MODELS[0] | COMMON, False)
        for name in ("SPCSO2", "SPCSO4", "DPCSO1"):
            lib.DataAttribute_create("sboTimeout", lib.toModelNode(made[name]), lib.IEC61850_INT32U, lib.IEC61850_FC_CF, 0, 0, 0)
        self.server = lib.IedServer_create(self.model)
        lib.IedServer_setLocalIpAddress(self.server, "127.0.0.1")
        for at, (name, control) in enumerate(made.items()):
            child = "mxVal" if name == "AnOut1" else "stVal"
            status = lib.toDataAttribute(lib.ModelNode_getChild(lib.toModelNode(control), child))
            if name == "AnOut1":
                status = lib.toDataAttribute(lib.ModelNode_getChild(lib.toModelNode(control), "mxVal.f"))
            self.status[name] = status
            lib.IedServer_updateCtlModel(self.server, control, [1, 2, 3, 4, 4, 1][at])
            timeout = lib.ModelNode_getChild(lib.toModelNode(control), "sboTimeout")
            if timeout:
                lib.IedServer_updateUnsignedAttributeValue(self.server, lib.toDataAttribute(timeout), SELECT_MS)
            self.subscribe(name, control, status)

    def subscribe(self, name, control, status):
        check, handler, subscriber = Check(self, name), Control(self, name, status), lib.ControlSubscriberForPython()
        subscriber.setIedServer(self.server)
        subscriber.setControlObject(control)
        subscriber.setControlHandler(handler)
        subscriber.setCheckHandler(check)
        subscriber.subscribe()
        self.kept += [check, handler, subscriber]

    def set_status(self, name, status, number):
        if name == "AnOut1":
            lib.IedServer_updateFloatAttributeValue(self.server, status, number)
        elif name == "DPCSO1":
            lib.IedServer_updateDbposValue(self.server, status, lib.DBPOS_ON if number else lib.DBPOS_OFF)
        else:
            lib.IedServer_updateBooleanAttributeValue(self.server, status, bool(number))

    def run(self, name, *rest):
        if name == "start":
            port = free_port()
            lib.IedServer_start(self.server, port)
            return port
        return super().run(name, *rest)


serve(Server().run)
