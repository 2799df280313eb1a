"""A client on iec61850 (Rust); prints `ready`. Keys are LD/LN$FC$DO$DA, data sets LD/LN$NAME. Commands, see lines.py and lib_client.py:

  expected, connect PORT [MOST_OCTETS], names DEVICE, browse, values, read KEY, read_many DOMAIN ITEM…, element KEY INDEX COMPONENT, write KEY VALUE,
  write_boolean KEY VALUE, read_set SET, create_set SET KEY…, delete_set SET, directory SET, abort, close,
  connect_tls PORT CERTIFICATE KEY CA NAME: the same over TLS, NAME is that of the server
"""

import pathlib

import iec61850

from lines import serve
from scl_plant import Plant

SIZES = {"integer": "width_bits", "unsigned": "width_bits", "float": "format_width", "bit_string": "bits"}
NAMES = {"bit_string": "bits", "visible_string": "text", "mms_string": "unicode", "utc_time": "utc"}
# DataAccessErrors of the package by their code.
CODES = {"TemporarilyUnavailable": 2, "TypeInconsistent": 7, "ObjectAccessDenied": 3, "ObjectNonExistent": 10, "ObjectValueInvalid": 11, "ObjectAccessUnsupported": 9}


def leaf_type(spec):
    kind = spec["kind"]
    size = spec.get(SIZES.get(kind, "max_chars"))
    return NAMES.get(kind, kind) if size is None else f"{NAMES.get(kind, kind)} {size}"


def parts(spec):
    if spec["kind"] == "array":
        return [(f"({at})", spec["element_type"]) for at in range(spec["element_count"])]
    if spec["kind"] == "structure":
        return [(f"${member['name']}", member["type"]) for member in spec["components"]]
    return None


def leaves(spec, key):
    below = parts(spec)
    if below is None:
        return [(key, spec)]
    return [leaf for name, part in below for leaf in leaves(part, key + name)]


def leaf_value(value, spec):
    """A value that the package gives without its type: octets for bit strings and times; other octets in hexadecimal."""
    if spec["kind"] == "bit_string":
        return "".join(f"{octet:08b}" for octet in value)[: abs(spec["bits"])]
    if spec["kind"] == "utc_time":
        seconds, fraction, quality = int.from_bytes(value[:4], "big"), int.from_bytes(value[4:7], "big"), value[7]
        return f"{seconds * 1000 + (fraction * 1000 + (1 << 23)) // (1 << 24)}/{quality}"
    return value.hex() if isinstance(value, bytes) else value


def shaped(value, spec):
    if isinstance(value, iec61850.DataAccessFailure):
        return {"failure": value.code}
    below = parts(spec)
    return leaf_value(value, spec) if below is None else [shaped(each, part) for each, (_, part) in zip(value, below, strict=True)]


def flat(value):
    return [leaf for each in value for leaf in flat(each)] if isinstance(value, list) else [value]


def reference(key):
    """Reference and functional constraint of the package."""
    domain, item = key.split("/", 1)
    node, constraint, *path = item.split("$")
    return f"{domain}/{'.'.join([node, *path])}", iec61850.FC(constraint)


def set_reference(name):
    return name.replace("$", ".", 1)


class Client:
    def run(self, name, *rest):
        return getattr(self, name)(*rest)

    def expected(self):
        return Plant().served()

    def __init__(self):
        self.connection = None

    async def connect(self, port, octets=65000, _password=""):
        address = f"127.0.0.1:{port}"
        self.connection = await iec61850.IedConnection.connect(address, timeout_ms=5000, local_max_pdu_size=octets)

    async def connect_tls(self, port, certificate, key, authority, name):
        own, own_key, trusted = (pathlib.Path(file).read_bytes() for file in (certificate, key, authority))
        tls = iec61850.TlsConfig(ca_pem=trusted, client_cert_pem=own, client_key_pem=own_key)
        self.connection = await iec61850.IedConnection.connect_tls(f"127.0.0.1:{port}", tls, server_name=name, timeout_ms=5000)

    async def specification(self, key):
        return await self.connection.get_variable_specification(*reference(key))

    async def nodes(self):
        """Keys of all functional constraints of all logical nodes, with their types."""
        model = await self.connection.get_device_model(refresh=True)
        for device in model["logical_devices"]:
            for name in device["variables"]:
                if name.count("$") == 1:
                    key = f"{device['name']}/{name}"
                    yield key, await self.specification(key)

    async def names(self, wanted):
        model = await self.connection.get_device_model(refresh=True)
        return next(device["variables"] for device in model["logical_devices"] if device["name"] == wanted)

    async def browse(self):
        devices = await self.connection.get_server_directory()
        names = {device: await self.names(device) for device in devices}
        types = {key: leaf_type(leaf) async for node, spec in self.nodes() for key, leaf in leaves(spec, node)}
        sets = {}
        for device in devices:
            for node in await self.connection.get_logical_device_directory(device):
                for name in await self.connection.get_logical_node_directory(f"{device}/{node}", iec61850.AcsiClass.DATASET):
                    sets[f"{device}/{node}${name}"] = await self.directory(f"{device}/{node}${name}")
        return {"devices": devices, "names": names, "types": types, "sets": sets}

    async def directory(self, name):
        found = await self.connection.get_data_set_directory(set_reference(name))
        return [f"{member.object_ref}[{member.fc.value}]" for member in found.members]

    async def values(self):
        found = {}
        async for node, objects in self.nodes():
            for name, spec in parts(objects):
                keys = [key for key, _ in leaves(spec, node + name)]
                try:
                    values = flat(shaped(await self.connection.read(*reference(node + name)), spec))
                except iec61850.IedDataAccessError as error:
                    values = [{"failure": code_of(error)}] * len(keys)
                found.update(zip(keys, values, strict=True))
        return found

    async def read(self, key):
        try:
            value = await self.connection.read(*reference(key))
        except iec61850.IedDataAccessError as error:
            return {"failure": code_of(error)}
        return shaped(value, await self.specification(key))

    async def read_many(self, domain, *items):
        keys = [f"{domain}/{item}" for item in items]
        values = await self.connection.read_multiple([reference(key) for key in keys], strict=False)
        is_failure = [isinstance(value, iec61850.DataAccessFailure) for value in values]
        specs = [None if failed else await self.specification(key) for key, failed in zip(keys, is_failure, strict=True)]
        return [shaped(value, spec) for value, spec in zip(values, specs, strict=True)]

    async def element(self, key, index, component):
        return await self.connection.read(*reference(key), array_index=index, component=component.replace("$", "."))

    async def write(self, key, value):
        try:
            await self.connection.write(*reference(key), value)
        except iec61850.IedDataAccessError as error:
            return code_of(error)
        return -1

    write_boolean = write

    async def read_set(self, name):
        directory = await self.connection.get_data_set_directory(set_reference(name))
        values = await self.connection.get_data_set_values(set_reference(name), strict=False)
        specs = [await self.connection.get_variable_specification(member.object_ref, member.fc) for member in directory.members]
        return [shaped(value, spec) for value, spec in zip(values, specs, strict=True)]

    async def create_set(self, name, *keys):
        members = [iec61850.DataSetMember(*reference(key)) for key in keys]
        await self.connection.create_data_set(set_reference(name), members)

    async def delete_set(self, name):
        return await self.connection.delete_data_set(set_reference(name))

    async def abort(self):
        await self.connection.abort()

    async def close(self):
        await self.connection.disconnect()


def code_of(error):
    return next((code for name, code in CODES.items() if name in str(error)), str(error))


serve(Client().run)
