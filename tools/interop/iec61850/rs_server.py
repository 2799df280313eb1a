"""A server on iec61850 (Rust), with data sets leaf by leaf, as far as the package can. Prints `ready`. Commands, see lines.py:

  start FORM [PORT] opens a port of its own, or this one, and answers it. FORM `file`: serves plant.cid as the package reads it,
                    without quality, times, double points and arrays; `built`: serves what plant.cid says with all values, but
                    for structures in structures and arrays
  tls CERTIFICATE KEY CA   names the files of TLS, before the start; clients need a certificate of the authority
  set KEY VALUE     sets an attribute; KEY is LD/LN$FC$DO$DA; quality, times and double points before the start only
  get KEY           value of an attribute as it was set here
  clients           open connections
  expected          what is served: {KEY: [type, value]}
  stop              closes the port with all connections
"""

import pathlib

import iec61850

from lines import serve
from scl_plant import FILE, SCL, Plant

KINDS = {
    "BOOLEAN": ("Boolean", "bool"),
    "INT32": ("Int32", "int"),
    "INT64": ("Int64", "int"),
    "INT32U": ("Int32U", "uint"),
    "FLOAT32": ("Float32", "float32"),
    "Enum": ("Enumerated", "int"),
    "Dbpos": ("CodedEnum", "bit_string"),
    "Quality": ("Quality", "bit_string"),
    "Timestamp": ("Timestamp", "utc_time"),
    "VisString64": ({"type": "VisibleString", "max_len": 64}, "visible_string"),
    "VisString255": ({"type": "VisibleString", "max_len": 255}, "visible_string"),
    "Unicode255": ("UnicodeString255", "mms_string"),
}
UPDATES = {
    "BOOLEAN": "update_bool",
    "INT32": "update_int32",
    "INT64": "update_int64",
    "INT32U": "update_uint32",
    "FLOAT32": "update_float32",
    "Enum": "update_int32",
    "VisString255": "update_string",
}
GROUPS = 3


def bits(text):
    padding = -len(text) % 8
    return {"padding": padding, "data": int(text + "0" * padding, 2).to_bytes((len(text) + padding) // 8, "big")}


def utc_time(text):
    milliseconds, quality = (int(part) for part in text.split("/"))
    seconds, rest = divmod(milliseconds, 1000)
    fraction = (rest * (1 << 24) + 500) // 1000
    return seconds.to_bytes(4, "big") + fraction.to_bytes(3, "big") + bytes([quality])


def tagged(basic_type, value):
    kind = KINDS[basic_type][1]
    if kind == "bit_string":
        return {"type": kind, **bits(value)}
    return {"type": kind, "value": utc_time(value) if kind == "utc_time" else value}


def has_structures(template):
    return any(item.get("bType") == "Struct" for item in template)


class Server:
    def __init__(self):
        self.plant = Plant()
        self.leaves = {leaf.key: leaf for leaf in self.plant.leaves()}
        self.server = None
        self.files = None

    def specification(self):
        devices = []
        for inst, nodes in self.plant.devices():
            made = [self.node(f"{self.plant.name}{inst}/{name}", node) for name, node in nodes]
            devices.append({"inst": inst, "lns": made})
        return {"ied_name": self.plant.name, "lds": devices}

    def node(self, key, node):
        objects = [self.data_object(key, [name], template) for name, template, _ in self.plant.objects(node)]
        made = {"dos": objects}
        if node.tag == f"{SCL}LN0":
            made["lln0"] = True
        else:
            made.update({"class": node.get("lnClass"), "inst": node.get("inst")})
        if node.find(f"{SCL}SettingControl") is not None:
            made["sgcb"] = {"num_of_sg": GROUPS, "act_sg": 1}
        return made

    def data_object(self, key, path, template):
        made = {"name": path[-1], "das": [], "constructed_das": [], "sub_dos": []}
        for item in template:
            name, below = item.get("name"), self.plant.templates.get(item.get("type"))
            if item.tag == f"{SCL}SDO":
                made["sub_dos"].append(self.data_object(key, [*path, name], below))
            elif item.get("bType") != "Struct":
                made["das"].append(self.leaf(key, item.get("fc"), [*path, name], item))
            elif not has_structures(below):
                children = [self.leaf(key, item.get("fc"), [*path, name, part.get("name")], part) for part in below]
                made["constructed_das"].append({"name": name, "fc": item.get("fc"), "children": children})
        return made

    def leaf(self, key, constraint, path, item):
        leaf = self.leaves["$".join([key, constraint, *path])]
        leaf.is_built = True
        kind = KINDS[item.get("bType")][0]
        return {"name": path[-1], "fc": constraint, "type": kind, "value": tagged(item.get("bType"), leaf.value)}

    def make(self, form):
        if form == "built":
            made = iec61850.IedServer.from_model_spec(self.specification())
            self.leaves = {key: leaf for key, leaf in self.leaves.items() if hasattr(leaf, "is_built")}
            return made
        self.leaves = {key.replace("(0)", ""): leaf for key, leaf in self.leaves.items() if "(" not in key or "(0)" in key}
        for leaf in self.leaves.values():
            if leaf.basic_type == "Dbpos":
                leaf.value = "00"
        return iec61850.IedServer.from_scl(str(FILE), ied_name=self.plant.name)

    async def start(self, form, port=0):
        server = self.make(form)
        server.bind(f"127.0.0.1:{port}")
        server.vendor, server.model_name, server.revision = "iec61850", "plant", "0.14.0"
        for _, node, name, members in self.plant.data_sets():
            server.add_dataset(f"{node}${name}", [self.path(leaf) for member in members for leaf in self.leaves_of(member)])
        if self.files:
            certificate, key, authority = (pathlib.Path(file).read_bytes() for file in self.files)
            server.with_tls(certificate, key, client_ca_pem=authority)
        await server.start()
        self.server = server
        return int(server.bound_addr.rsplit(":", 1)[1])

    def path(self, leaf):
        """Name of an attribute in the package, by the name of the device in the file."""
        return f"{leaf.device.removeprefix(self.plant.name)}/{leaf.node}.{'.'.join(leaf.path)}"

    def leaves_of(self, member):
        inst, node, constraint, path = member
        key = f"{self.plant.name}{inst}/{'$'.join([node, constraint, *path])}"
        return [leaf for name, leaf in self.leaves.items() if name == key or name.startswith(f"{key}$")]

    def set(self, key, value):
        leaf = self.leaves[key]
        leaf.value = value
        if self.server:
            getattr(self.server, UPDATES[leaf.basic_type])(self.path(leaf), value)

    async def run(self, name, *rest):
        if name == "set":
            return self.set(*rest)
        if name == "tls":
            self.files = rest
            return None
        if name == "start":
            return await self.start(*rest)
        if name == "get":
            return self.leaves[rest[0]].value
        if name == "clients":
            return self.server.connection_count
        if name == "expected":
            return {key: [leaf.wire_type, leaf.value] for key, leaf in self.leaves.items()}
        if name == "stop":
            return await self.server.stop()
        raise ValueError(f"there is no command {name}")


serve(Server().run)
