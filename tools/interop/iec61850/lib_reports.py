"""A server on pyiec61850-ng (libiec61850) with report control blocks; prints `ready`. Commands, see lines.py:

  start [PORT [MS]]         listens at a port of its own, or this one, and answers it; MS: integrity period of urcbAll01
  set NUMBER VALUE          changes indication NUMBER of REPLD0/GGIO1, with the time of now
  measure NUMBER VALUE      changes measurement NUMBER of REPLD0/GGIO2
  invalid NUMBER            makes the quality of an indication invalid

REPLD0/LLN0 has data sets ind (indications) and all (measurements), urcbInd01 and urcbAll01 unbuffered, brcbInd01 buffered.
"""

import socket
import time

import pyiec61850.pyiec61850 as lib

from lines import serve

INDICATIONS = 4
MEASUREMENTS = 20
TRIGGERS = lib.TRG_OPT_DATA_CHANGED | lib.TRG_OPT_QUALITY_CHANGED | lib.TRG_OPT_INTEGRITY | lib.TRG_OPT_GI
OPTIONS = (
    lib.RPT_OPT_SEQ_NUM
    | lib.RPT_OPT_TIME_STAMP
    | lib.RPT_OPT_REASON_FOR_INCLUSION
    | lib.RPT_OPT_DATA_SET
    | lib.RPT_OPT_BUFFER_OVERFLOW
    | lib.RPT_OPT_ENTRY_ID
    | lib.RPT_OPT_CONF_REV
)
BUFFER_MS = 20


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    def make(self, integrity_ms):
        self.model = lib.IedModel_create("REP")
        device = lib.LogicalDevice_create("LD0", self.model)
        first = lib.LogicalNode_create("LLN0", device)
        indications = lib.toModelNode(lib.LogicalNode_create("GGIO1", device))
        measurements = lib.toModelNode(lib.LogicalNode_create("GGIO2", device))
        self.indications = [lib.CDC_SPS_create(f"Ind{at + 1}", indications, 0) for at in range(INDICATIONS)]
        self.measurements = [lib.CDC_MV_create(f"AnIn{at + 1}", measurements, 0, False) for at in range(MEASUREMENTS)]
        self.data_set("ind", first, [f"GGIO1$ST$Ind{at + 1}" for at in range(INDICATIONS)])
        self.data_set("all", first, [f"GGIO2$MX$AnIn{at + 1}" for at in range(MEASUREMENTS)])
        blocks = [("urcbInd01", False, "ind", 0), ("urcbAll01", False, "all", integrity_ms), ("brcbInd01", True, "ind", 0)]
        for name, is_buffered, data_set, period_ms in blocks:
            lib.ReportControlBlock_create(name, first, name, is_buffered, data_set, 1, TRIGGERS, OPTIONS, BUFFER_MS, period_ms)
        # a configuration of the server, for Owner and ResvTms, is taken by the package only together with TLS
        self.server = lib.IedServer_create(self.model)
        lib.IedServer_setLocalIpAddress(self.server, "127.0.0.1")

    def data_set(self, name, node, members):
        made = lib.DataSet_create(name, node)
        for member in members:
            lib.DataSetEntry_create(made, member, -1, None)

    def part(self, thing, path):
        return lib.toDataAttribute(lib.ModelNode_getChild(lib.toModelNode(thing), path))

    def change(self, thing, update, path, value):
        lib.IedServer_lockDataModel(self.server)
        lib.IedServer_updateUTCTimeAttributeValue(self.server, self.part(thing, "t"), int(time.time() * 1000))
        update(self.server, self.part(thing, path), value)
        lib.IedServer_unlockDataModel(self.server)

    def start(self, port=0, integrity_ms=0):
        self.make(integrity_ms)
        port = port or free_port()
        lib.IedServer_start(self.server, port)
        if not lib.IedServer_isRunning(self.server):
            raise ValueError(f"the server does not listen at {port}")
        return port

    def run(self, name, *rest):
        if name == "start":
            return self.start(*rest)
        if name == "set":
            return self.change(self.indications[rest[0] - 1], lib.IedServer_updateBooleanAttributeValue, "stVal", bool(rest[1]))
        if name == "measure":
            return self.change(self.measurements[rest[0] - 1], lib.IedServer_updateFloatAttributeValue, "mag.f", float(rest[1]))
        if name == "invalid":
            return self.change(self.indications[rest[0] - 1], lib.IedServer_updateQuality, "q", lib.QUALITY_VALIDITY_INVALID)
        raise ValueError(f"there is no command {name}")


serve(Server().run)
