"""A client on pyiec61850-ng (libiec61850) that queries logs; prints `ready`. The package wraps the calls of logs without their lists, so they are called in the library itself. Commands, see lines.py:

  connect PORT [MOST_OCTETS]     associates
  logs LD                        names of the logs of a logical device
  block LCB                      enabled, log, data set and IntgPd of a log control block, LD/LN.LG.name
  by_time LOG FROM TO            entries of LD/LN$name within a range of UTC milliseconds; see `entries`
  after LOG ENTRY TIME           entries behind an EntryID in hexadecimal, with its UTC milliseconds
  close                          concludes

Entries are {entries: [[EntryID, UTC milliseconds, [[tag, value] …]] …], more}: values as the library prints them.
"""

import ctypes

import pyiec61850._pyiec61850 as binary
import pyiec61850.pyiec61850 as lib

from lib_calls import associated, good, strings
from lines import serve

LIBRARY = ctypes.CDLL(binary.__file__)
POINTER, TEXT, NUMBER = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64
LONGEST = 1000


def call(name, result, *types):
    function = getattr(LIBRARY, name)
    function.restype, function.argtypes = result, types
    return function


MORE, ERROR = ctypes.POINTER(ctypes.c_bool), ctypes.POINTER(ctypes.c_int)
BY_TIME = call("IedConnection_queryLogByTime", POINTER, POINTER, ERROR, TEXT, NUMBER, NUMBER, MORE)
AFTER = call("IedConnection_queryLogAfter", POINTER, POINTER, ERROR, TEXT, POINTER, NUMBER, MORE)
NEXT = call("LinkedList_getNext", POINTER, POINTER)
DATA = call("LinkedList_getData", POINTER, POINTER)
ENTRY_ID = call("MmsJournalEntry_getEntryID", POINTER, POINTER)
TIME = call("MmsJournalEntry_getOccurenceTime", POINTER, POINTER)
VARIABLES = call("MmsJournalEntry_getJournalVariables", POINTER, POINTER)
TAG = call("MmsJournalVariable_getTag", TEXT, POINTER)
VALUE = call("MmsJournalVariable_getValue", POINTER, POINTER)
PRINT = call("MmsValue_printToBuffer", TEXT, POINTER, ctypes.c_char_p, ctypes.c_int)
UTC_MS = call("MmsValue_getBinaryTimeAsUtcMs", NUMBER, POINTER)
OCTETS = call("MmsValue_getOctetStringBuffer", POINTER, POINTER)
SIZE = call("MmsValue_getOctetStringSize", ctypes.c_uint16, POINTER)
NEW_OCTETS = call("MmsValue_newOctetString", POINTER, ctypes.c_int, ctypes.c_int)
SET_OCTETS = call("MmsValue_setOctetString", None, POINTER, TEXT, ctypes.c_int)


def items(linked_list):
    element = NEXT(linked_list)
    while element:
        yield DATA(element)
        element = NEXT(element)


def printed(value):
    text = ctypes.create_string_buffer(LONGEST)
    PRINT(value, text, LONGEST)
    return text.value.decode()


def entry_of(entry):
    identifier = ENTRY_ID(entry)
    octets = ctypes.string_at(OCTETS(identifier), SIZE(identifier))
    variables = [[TAG(each).decode(), printed(VALUE(each))] for each in items(VARIABLES(entry))]
    return [octets.hex(), UTC_MS(TIME(entry)), variables]


class Client:
    def __init__(self):
        self.connection = None

    def run(self, name, *rest):
        return getattr(self, name)(*rest)

    def connect(self, port, octets=65000):
        self.connection = associated(port, octets)

    def logs(self, device):
        return sorted(strings(good(lib.IedConnection_getLogicalNodeDirectory(self.connection, f"{device}/LLN0", lib.ACSI_CLASS_LOG))))

    def block(self, reference):
        value = good(lib.IedConnection_readObject(self.connection, reference, lib.IEC61850_FC_LG))
        element = lambda at: lib.MmsValue_getElement(value, at)
        text = lambda at: lib.MmsValue_toString(element(at))
        return [lib.MmsValue_getBoolean(element(0)), text(1), text(2), lib.MmsValue_toUint32(element(8))]

    def by_time(self, log, begin, end):
        return self.queried(BY_TIME, log, NUMBER(begin), NUMBER(end))

    def after(self, log, entry, time):
        octets = bytes.fromhex(entry)
        value = NEW_OCTETS(len(octets), len(octets))
        SET_OCTETS(value, octets, len(octets))
        return self.queried(AFTER, log, value, NUMBER(time))

    def queried(self, query, log, *limits):
        error, more = ctypes.c_int(0), ctypes.c_bool(False)
        found = query(int(self.connection), ctypes.byref(error), log.encode(), *limits, ctypes.byref(more))
        good(error.value)
        return {"entries": [entry_of(each) for each in items(found)], "more": more.value}

    def close(self):
        good(lib.IedConnection_release(self.connection))
        lib.IedConnection_destroy(self.connection)


client = Client()
serve(client.run)
