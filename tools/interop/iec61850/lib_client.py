"""A client on pyiec61850-ng (libiec61850); prints `ready`. Keys are LD/LN$FC$DO$DA, data sets LD/LN$NAME. Commands, see lines.py:

  expected                        what a device of plant.cid has: {KEY: [type, value]}
  connect PORT [MOST_OCTETS [PASSWORD]]   associates; answers the PDU size that was agreed on
  identify                        vendor, model, revision
  names DEVICE                    names of all variables of a logical device
  browse                          the whole model: {"devices": …, "names": {DEVICE: …}, "types": {KEY: type}, "sets": {SET: members}}
  values                          every leaf of the model: {KEY: value}, read by data object and functional constraint
  read KEY                        value of a variable or structure, or {"failure": code}
  read_many DOMAIN ITEM…          several variables in one request
  element KEY INDEX COMPONENT     one member of one element of an array, by alternate access
  write KEY VALUE                 DataAccessError, -1 for success
  write_boolean KEY VALUE         the same with a boolean, whatever the type is
  read_set SET                    values of the members
  create_set SET KEY…             makes a data set
  delete_set SET                  whether it was deleted
  files FOLDER                    {name: octets}
  file NAME                       octets of a file, in hexadecimal
  close                           concludes
"""

import pathlib
import tempfile

import pyiec61850.pyiec61850 as lib

import lib_values
from lib_connection import associated, good
from lines import serve
from scl_plant import Plant

def strings(linked_list):
    """Texts of a list of the library, in order; the list is freed."""
    texts = []
    element = lib.LinkedList_getNext(linked_list)
    while element:
        texts.append(lib.toCharP(lib.LinkedList_getData(element)))
        element = lib.LinkedList_getNext(element)
    lib.LinkedList_destroy(linked_list)
    return texts


def split(key):
    domain, item = key.split("/", 1)
    return domain, item


def acsi(key):
    """The reference of a member of a data set: LD/LN.DO.DA[FC]."""
    domain, item = split(key)
    node, constraint, *path = item.split("$")
    return f"{domain}/{'.'.join([node, *path])}[{constraint}]"


class Client:
    def run(self, name, *rest):
        return getattr(self, name)(*rest)

    def expected(self):
        return Plant().served()

    def __init__(self):
        self.connection = None
        self.mms = None
        self.error = lib.MmsError_create()

    def checked(self, result):
        """The result of a call of the MMS layer; raises its error."""
        error = lib.MmsError_getValue(self.error)
        if error != lib.MMS_ERROR_NONE:
            raise ValueError(f"{lib.MmsError_toString(error)} ({error})")
        return result

    def connect(self, port, octets=65000, password=""):
        self.connection = associated(port, octets, password)
        self.mms = lib.IedConnection_getMmsConnection(self.connection)
        return lib.MmsConnection_getLocalDetail(self.mms)

    def identify(self):
        identity = self.checked(lib.MmsConnection_identify(self.mms, self.error))
        return [identity.vendorName, identity.modelName, identity.revision]

    def specification(self, key):
        return self.checked(lib.MmsConnection_getVariableAccessAttributes(self.mms, self.error, *split(key)))

    def nodes(self):
        """Keys of all logical nodes with their specifications."""
        for domain in strings(self.checked(lib.MmsConnection_getDomainNames(self.mms, self.error))):
            names = strings(self.checked(lib.MmsConnection_getDomainVariableNames(self.mms, self.error, domain)))
            for name in names:
                if "$" not in name:
                    yield f"{domain}/{name}", self.specification(f"{domain}/{name}")

    def browse(self):
        devices = strings(good(lib.IedConnection_getServerDirectory(self.connection, False)))
        names = {name: self.names(name) for name in devices}
        types = {key: lib_values.leaf_type(leaf) for node, spec in self.nodes() for key, leaf in lib_values.leaves(spec, node)}
        sets = {}
        for device in devices:
            for item in strings(good(lib.IedConnection_getLogicalDeviceDataSets(self.connection, device))):
                sets[f"{device}/{item}"] = self.directory(f"{device}/{item}")
        return {"devices": devices, "names": names, "types": types, "sets": sets}

    def names(self, device):
        return strings(good(lib.IedConnection_getLogicalDeviceVariables(self.connection, device)))

    def directory(self, name):
        reference = name.replace("$", ".", 1)
        members = good(lib.IedConnection_getDataSetDirectory(self.connection, reference, None))
        return strings(members)

    def values(self):
        found = {}
        for node, specification in self.nodes():
            for constraint, objects in lib_values.parts(specification):
                for name, part in lib_values.parts(objects):
                    key = node + constraint + name
                    value = self.checked(lib.MmsConnection_readVariable(self.mms, self.error, *split(key)))
                    keys = [leaf for leaf, _ in lib_values.leaves(part, key)]
                    is_refused = lib.MmsValue_getType(value) == lib.MMS_DATA_ACCESS_ERROR
                    found.update(zip(keys, lib_values.flat(value) * (len(keys) if is_refused else 1), strict=True))
        return found

    def read(self, key):
        return lib_values.value_of(self.checked(lib.MmsConnection_readVariable(self.mms, self.error, *split(key))))

    def read_many(self, domain, *items):
        wanted = lib.LinkedList_create()
        for item in items:
            lib.LinkedList_addStringCopy(wanted, item)
        value = self.checked(lib.MmsConnection_readMultipleVariables(self.mms, self.error, domain, wanted))
        return lib_values.value_of(value)

    def element(self, key, index, component):
        domain, item = split(key)
        value = lib.MmsConnection_readSingleArrayElementWithComponent(self.mms, self.error, domain, item, index, component)
        return lib_values.value_of(self.checked(value))

    def write(self, key, value):
        target = lib.MmsValue_newDefaultValue(self.specification(key))
        lib_values.set_value(target, value)
        return self.written(key, target)

    def write_boolean(self, key, value):
        return self.written(key, lib.MmsValue_newBoolean(value))

    def written(self, key, value):
        result = lib.MmsConnection_writeVariable(self.mms, self.error, *split(key), value)
        return self.checked(result) if result == lib.DATA_ACCESS_ERROR_SUCCESS else result

    def read_set(self, name):
        values = lib.MmsConnection_readNamedVariableListValues(self.mms, self.error, *split(name), True)
        return lib_values.value_of(self.checked(values))

    def create_set(self, name, *keys):
        members = lib.LinkedList_create()
        for key in keys:
            lib.LinkedList_addStringCopy(members, acsi(key))
        good(lib.IedConnection_createDataSet(self.connection, name.replace("$", ".", 1), members))

    def delete_set(self, name):
        deleted = lib.IedConnection_deleteDataSet(self.connection, name.replace("$", ".", 1))
        return good(deleted)

    def files(self, folder):
        entries = good(lib.IedConnection_getFileDirectory(self.connection, folder))
        found = {}
        element = lib.LinkedList_getNext(entries)
        while element:
            entry = lib.toFileDirectoryEntry(lib.LinkedList_getData(element))
            found[lib.FileDirectoryEntry_getFileName(entry)] = lib.FileDirectoryEntry_getFileSize(entry)
            element = lib.LinkedList_getNext(element)
        return found

    def file(self, name):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "copy")
            lib.MmsConnection_downloadFile(self.mms, self.error, name, str(path))
            self.checked(None)
            return path.read_bytes().hex()

    def close(self):
        good(lib.IedConnection_release(self.connection))


serve(Client().run)
