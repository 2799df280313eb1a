"""A server on pyiec61850-ng (libiec61850): serves plant.cid. Prints `ready`. Commands, see lines.py:

  set KEY VALUE     sets an attribute; KEY is LD/LN$FC$DO$DA
  start FORM [PORT] opens a port of its own, or this one, and answers it
  get KEY           value of an attribute
  clients           open connections
  expected          what plant.cid has: {KEY: [type, value]}
  stop              closes the port with all connections
"""

import pathlib
import socket
import tempfile

import pyiec61850.pyiec61850 as lib

from lib_values import set_value, value_of
from lines import serve
from scl_plant import SCL, Plant

TYPES = {
    "BOOLEAN": lib.IEC61850_BOOLEAN,
    "INT32": lib.IEC61850_INT32,
    "INT64": lib.IEC61850_INT64,
    "INT32U": lib.IEC61850_INT32U,
    "FLOAT32": lib.IEC61850_FLOAT32,
    "Enum": lib.IEC61850_ENUMERATED,
    "Dbpos": lib.IEC61850_CODEDENUM,
    "Quality": lib.IEC61850_QUALITY,
    "Timestamp": lib.IEC61850_TIMESTAMP,
    "VisString64": lib.IEC61850_VISIBLE_STRING_64,
    "VisString255": lib.IEC61850_VISIBLE_STRING_255,
    "Unicode255": lib.IEC61850_UNICODE_STRING_255,
    "Struct": lib.IEC61850_CONSTRUCTED,
}
GROUPS = 3
MOST_TRIES = 10
FILES = {"COMTRADE/fault1.dat": bytes(range(256)) * 300, "plant.txt": b"recorded by the plant\n"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Model:
    """The model of the library, built from the file, and its attributes by key."""

    def __init__(self, plant):
        self.plant = plant
        self.attributes = {}
        self.model = lib.IedModel_create(plant.name)
        for inst, nodes in plant.devices():
            device = lib.LogicalDevice_create(inst, self.model)
            made = {name: lib.LogicalNode_create(name, device) for name, _ in nodes}
            for name, node in nodes:
                self.add_node(f"{plant.name}{inst}/{name}", made[name], node)
            for _, node, name, members in (entry for entry in plant.data_sets() if entry[0] == inst):
                self.add_data_set(name, made[node], members)
            if nodes[0][1].find(f"{SCL}SettingControl") is not None:
                lib.SettingGroupControlBlock_create(made[nodes[0][0]], 1, GROUPS)
            if nodes[0][1].find(f"{SCL}ReportControl") is not None:
                lib.ReportControlBlock_create("urcbStat01", made[nodes[0][0]], "STAT", False, "dsStat", 1, 3, 9, 0, 0)

    def add_node(self, key, made, node):
        for name, template, _ in self.plant.objects(node):
            data_object = lib.toModelNode(lib.DataObject_create(name, lib.toModelNode(made), 0))
            self.add_items(key, [name], data_object, template)

    def add_items(self, key, path, parent, template, constraint=None):
        for item in template:
            name = item.get("name")
            if item.tag == f"{SCL}SDO":
                below = self.plant.templates[item.get("type")]
                self.add_items(key, [*path, name], lib.toModelNode(lib.DataObject_create(name, parent, 0)), below)
                continue
            fc = item.get("fc") or constraint
            self.add_attribute(key, [*path, name], parent, item, fc)
            if item.get("fc") == "SG":
                self.add_attribute(key, [*path, name], parent, item, "SE")

    def add_attribute(self, key, path, parent, item, constraint):
        code = getattr(lib, f"IEC61850_FC_{constraint}")
        count = int(item.get("count") or 0)
        made = lib.DataAttribute_create(path[-1], parent, TYPES[item.get("bType")], code, lib.TRG_OPT_DATA_CHANGED, count, 0)
        self.attributes["$".join([key, constraint, *path])] = made
        if item.get("bType") != "Struct":
            return
        below = self.plant.templates[item.get("type")]
        node = lib.ModelNode_getChildWithFc(parent, path[-1], code)
        for at in range(count):
            element = lib.ModelNode_getChildWithIdx(node, at)
            self.add_items(key, [*path[:-1], f"{path[-1]}({at})"], element, below, constraint)
        if count == 0:
            self.add_items(key, path, node, below, constraint)

    def add_data_set(self, name, node, members):
        data_set = lib.DataSet_create(name, node)
        for _, member, constraint, path in members:
            lib.DataSetEntry_create(data_set, "$".join([member, constraint, *path]), -1, None)


class Server:
    def __init__(self):
        plant = Plant()
        self.served = plant.served()
        self.model = Model(plant)
        self.server = lib.IedServer_create(self.model.model)
        lib.IedServer_setLocalIpAddress(self.server, "127.0.0.1")
        lib.IedServer_setServerIdentity(self.server, "libiec61850", "plant", "1.6.1")
        self.store = tempfile.TemporaryDirectory()
        for name, octets in FILES.items():
            path = pathlib.Path(self.store.name, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(octets)
        lib.IedServer_setFilestoreBasepath(self.server, self.store.name + "/")
        for leaf in plant.leaves():
            self.set(leaf.key, leaf.value)

    def start(self, _form, wanted=0):
        """Listens on a port that is free, or on the one that is wanted; answers it."""
        for _ in range(MOST_TRIES):
            port = wanted or free_port()
            lib.IedServer_start(self.server, port)
            if lib.IedServer_isRunning(self.server):
                return port
        raise OSError("no port could be had")

    def set(self, key, value):
        attribute = self.model.attributes[key]
        changed = lib.MmsValue_clone(lib.IedServer_getAttributeValue(self.server, attribute))
        set_value(changed, value)
        lib.IedServer_lockDataModel(self.server)
        lib.IedServer_updateAttributeValue(self.server, attribute, changed)
        lib.IedServer_unlockDataModel(self.server)
        lib.MmsValue_delete(changed)
        self.served[key][1] = value

    def run(self, name, *rest):
        if name == "set":
            return self.set(*rest)
        if name == "start":
            return self.start(*rest)
        if name == "get":
            return value_of(lib.IedServer_getAttributeValue(self.server, self.model.attributes[rest[0]]))
        if name == "clients":
            return lib.IedServer_getNumberOfOpenConnections(self.server)
        if name == "expected":
            return self.served
        if name == "stop":
            return lib.IedServer_stop(self.server)
        raise ValueError(f"there is no command {name}")


serve(Server().run)
