"""What plant.cid says, read without any of the stacks: names, types and values of the model that every peer serves and compares with."""

import pathlib
import xml.etree.ElementTree as ElementTree

SCL = "{http://www.iec.ch/61850/2003/SCL}"
FILE = pathlib.Path(__file__).with_name("plant.cid")

TEMPORARILY_UNAVAILABLE = 2
DOUBLE_POINTS = {"intermediate-state": "00", "off": "01", "on": "10", "bad-state": "11"}
# Types on the wire (IEC 61850-8-1, 8.1.3): kind, and size in bits or characters; negative: at most.
WIRE_TYPES = {
    "BOOLEAN": "boolean",
    "INT32": "integer 32",
    "INT64": "integer 64",
    "INT32U": "unsigned 32",
    "FLOAT32": "float 32",
    "Enum": "integer 8",
    "Dbpos": "bits 2",
    "Quality": "bits -13",
    "Timestamp": "utc",
    "VisString64": "text -64",
    "VisString255": "text -255",
    "Unicode255": "unicode -255",
}


class Leaf:
    """An attribute without members. `path` begins with the data object; elements of arrays are `name(0)`, `name(1)`, and so on."""

    def __init__(self, device, node, constraint, path, basic_type, value):
        self.device, self.node, self.constraint, self.path = device, node, constraint, path
        self.basic_type, self.value = basic_type, value

    @property
    def key(self):
        return f"{self.device}/{'$'.join([self.node, self.constraint, *self.path])}"

    @property
    def wire_type(self):
        return WIRE_TYPES[self.basic_type]


class Plant:
    def __init__(self):
        root = ElementTree.parse(FILE).getroot()
        templates = root.find(f"{SCL}DataTypeTemplates")
        self.templates = {element.get("id"): element for element in templates}
        self.ied = root.find(f"{SCL}IED")
        self.name = self.ied.get("name")

    def devices(self):
        """Logical devices with their logical nodes: name of the device, [(name of the node, element)]."""
        for device in self.ied.iter(f"{SCL}LDevice"):
            nodes = [node for node in device if node.tag in (f"{SCL}LN0", f"{SCL}LN")]
            yield device.get("inst"), [(node_name(node), node) for node in nodes]

    def objects(self, node):
        """Data objects of a logical node: name, template, element with the values of the instance or None."""
        instances = {instance.get("name"): instance for instance in node.findall(f"{SCL}DOI")}
        for item in self.templates[node.get("lnType")]:
            yield item.get("name"), self.templates[item.get("type")], instances.get(item.get("name"))

    def served(self):
        """What a device of this file has: {KEY: [type, value]}. Settings of groups are there to be edited as well, but not at first."""
        found = {}
        for leaf in self.leaves():
            found[leaf.key] = [leaf.wire_type, leaf.value]
            if leaf.constraint == "SG":
                found[leaf.key.replace("$SG$", "$SE$")] = [leaf.wire_type, {"failure": TEMPORARILY_UNAVAILABLE}]
        return found

    def leaves(self):
        for inst, nodes in self.devices():
            for name, node in nodes:
                for object_name, template, instance in self.objects(node):
                    yield from self.leaves_of(self.name + inst, name, [object_name], template, instance)

    def leaves_of(self, device, node, path, template, instance, constraint=None):
        for item in template:
            fc = item.get("fc") or constraint
            below = child(instance, item.get("name"))
            for name in names_of(item):
                if item.tag == f"{SCL}SDO" or item.get("bType") == "Struct":
                    yield from self.leaves_of(device, node, [*path, name], self.templates[item.get("type")], below, fc)
                    continue
                value = self.value_of(item, None if below is None else below.findtext(f"{SCL}Val"))
                yield Leaf(device, node, fc, [*path, name], item.get("bType"), value)

    def value_of(self, item, text):
        """Value as the peers tell it: booleans, numbers and texts as they are, bit strings as `01`, times as `milliseconds/quality`."""
        kind = item.get("bType")
        if kind == "BOOLEAN":
            return text == "true"
        if kind == "Enum":
            words = {word.text: int(word.get("ord")) for word in self.templates[item.get("type")]}
            return words.get(text, 0)
        if kind.startswith("INT"):
            return int(text or 0)
        if kind == "FLOAT32":
            return float(text or 0)
        if kind == "Dbpos":
            return DOUBLE_POINTS.get(text, "00")
        if kind == "Quality":
            return "0" * 13
        if kind == "Timestamp":
            return "0/0"
        return text or ""

    def data_sets(self):
        """Name of the device, of the node and of the set, and the members: (device, node, constraint, path)."""
        for inst, nodes in self.devices():
            for name, node in nodes:
                for data_set in node.findall(f"{SCL}DataSet"):
                    yield inst, name, data_set.get("name"), [member_of(entry) for entry in data_set]


def names_of(item):
    """The name of an attribute, or the elements of an array."""
    count = int(item.get("count") or 0)
    return [f"{item.get('name')}({at})" for at in range(count)] if count else [item.get("name")]


def node_name(node):
    return (node.get("prefix") or "") + node.get("lnClass") + (node.get("inst") or "")


def child(instance, name):
    if instance is None:
        return None
    return next((item for item in instance if item.get("name") == name), None)


def member_of(entry):
    path = entry.get("doName").split(".") + (entry.get("daName") or "").split(".")
    node = (entry.get("prefix") or "") + entry.get("lnClass") + (entry.get("lnInst") or "")
    return entry.get("ldInst"), node, entry.get("fc"), [part for part in path if part]
