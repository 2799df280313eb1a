"""A client on pyiec61850-ng (libiec61850) that takes reports; prints `ready`. Blocks are LD/LN.RP.NAME or LD/LN.BR.NAME. Commands, see lines.py:

  connect PORT [MOST_OCTETS]      associates; answers the PDU size that was agreed on
  blocks NODE                     names of the blocks of LD/LN: [[unbuffered …], [buffered …]]
  block REFERENCE                 {"id", "enabled", "set", "revision", "owner", "reserved", "entry"}
  reserve REFERENCE SECONDS       takes a block; seconds of a buffered one, true of the other; the error, 0 for success
  enable REFERENCE                enables it with GI, changes of data and quality; the error, 0 for success
  last_entry                      EntryID of the last report, in hexadecimal
  continue_behind REFERENCE ENTRY  writes the entry behind which to go on; the error, 0 for success
  resume REFERENCE                enables it as it is; the error, 0 for success
  gi REFERENCE                    asks for all members
  disable REFERENCE               the error, 0 for success
  reports                         what came since this was asked last: [[sequence, overflow, {place: [value, reason]}] …]
  abort                           ends the association without a word
  close                           concludes
"""

import threading

import pyiec61850.pyiec61850 as lib

import lib_values
from lib_calls import associated, good, strings
from lines import serve

TRIGGERS = lib.TRG_OPT_DATA_CHANGED | lib.TRG_OPT_QUALITY_CHANGED | lib.TRG_OPT_GI
OPTIONS = (
    lib.RPT_OPT_SEQ_NUM
    | lib.RPT_OPT_TIME_STAMP
    | lib.RPT_OPT_REASON_FOR_INCLUSION
    | lib.RPT_OPT_DATA_SET
    | lib.RPT_OPT_DATA_REFERENCE
    | lib.RPT_OPT_BUFFER_OVERFLOW
    | lib.RPT_OPT_ENTRY_ID
    | lib.RPT_OPT_CONF_REV
)


class Handler(lib.RCBHandler):
    """Takes apart what comes, in the thread of the library; a segment is a report of its own."""

    def __init__(self, taken):
        lib.RCBHandler.__init__(self)
        self.taken = taken

    def trigger(self):
        try:
            self.taken(self._client_report)
        except Exception as error:  # nothing may be raised into the library
            print(f"report: {error}")


class Subscriber:
    def __init__(self):
        self.lock = threading.Lock()
        self.came = []
        self.entry = ""
        self.subscribed = []

    def run(self, name, *rest):
        return getattr(self, name)(*rest)

    def connect(self, port, most_octets=65000):
        self.connection = associated(port, most_octets)
        return lib.MmsConnection_getLocalDetail(lib.IedConnection_getMmsConnection(self.connection))

    def blocks(self, node):
        found = []
        for kind in (lib.ACSI_CLASS_URCB, lib.ACSI_CLASS_BRCB):
            found.append(sorted(strings(good(lib.IedConnection_getLogicalNodeDirectory(self.connection, node, kind)))))
        return found

    def values(self, reference):
        block = lib.ClientReportControlBlock_create(reference)
        good(lib.IedConnection_getRCBValues(self.connection, reference, block))
        return block

    def block(self, reference):
        block = self.values(reference)
        is_buffered = lib.ClientReportControlBlock_isBuffered(block)
        owner = lib.ClientReportControlBlock_getOwner(block)
        entry = lib.ClientReportControlBlock_getEntryId(block) if is_buffered else None
        found = {
            "id": lib.ClientReportControlBlock_getRptId(block),
            "enabled": lib.ClientReportControlBlock_getRptEna(block),
            "set": lib.ClientReportControlBlock_getDataSetReference(block),
            "revision": lib.ClientReportControlBlock_getConfRev(block),
            "owner": lib_values.value_of(owner) if owner else None,
            "reserved": lib.ClientReportControlBlock_getResvTms(block) if is_buffered else lib.ClientReportControlBlock_getResv(block),
            "entry": lib_values.value_of(entry) if entry else None,
        }
        lib.ClientReportControlBlock_destroy(block)
        return found

    def set(self, block, mask):
        answered = lib.IedConnection_setRCBValues(self.connection, block, mask, True)
        lib.ClientReportControlBlock_destroy(block)
        return answered[-1] if isinstance(answered, (tuple, list)) else answered

    def reserve(self, reference, seconds):
        block = self.values(reference)
        if lib.ClientReportControlBlock_isBuffered(block):
            lib.ClientReportControlBlock_setResvTms(block, seconds)
            return self.set(block, lib.RCB_ELEMENT_RESV_TMS)
        lib.ClientReportControlBlock_setResv(block, seconds > 0)
        return self.set(block, lib.RCB_ELEMENT_RESV)

    def subscribe(self, reference, block):
        handler = Handler(self.taken)
        subscriber = lib.RCBSubscriber()
        subscriber.setIedConnection(self.connection)
        subscriber.setRcbReference(reference)
        subscriber.setRcbRptId(lib.ClientReportControlBlock_getRptId(block))
        subscriber.setEventHandler(handler)
        if not subscriber.subscribe():
            raise ValueError("the library takes no handler")
        self.subscribed.append((handler, subscriber))

    def enable(self, reference):
        block = self.values(reference)
        self.subscribe(reference, block)
        lib.ClientReportControlBlock_setTrgOps(block, TRIGGERS)
        lib.ClientReportControlBlock_setOptFlds(block, OPTIONS)
        lib.ClientReportControlBlock_setBufTm(block, 10)
        lib.ClientReportControlBlock_setRptEna(block, True)
        return self.set(block, lib.RCB_ELEMENT_TRG_OPS | lib.RCB_ELEMENT_OPT_FLDS | lib.RCB_ELEMENT_BUF_TM | lib.RCB_ELEMENT_RPT_ENA)

    def continue_behind(self, reference, entry):
        block = self.values(reference)
        octets = bytes.fromhex(entry)
        value = lib.MmsValue_newOctetString(len(octets), len(octets))
        for at, octet in enumerate(octets):
            lib.MmsValue_setOctetStringOctet(value, at, octet)
        lib.ClientReportControlBlock_setEntryId(block, value)
        return self.set(block, lib.RCB_ELEMENT_ENTRY_ID)

    def resume(self, reference):
        block = self.values(reference)
        self.subscribe(reference, block)
        lib.ClientReportControlBlock_setRptEna(block, True)
        return self.set(block, lib.RCB_ELEMENT_RPT_ENA)

    def gi(self, reference):
        block = self.values(reference)
        lib.ClientReportControlBlock_setGI(block, True)
        return self.set(block, lib.RCB_ELEMENT_GI)

    def disable(self, reference):
        block = self.values(reference)
        lib.ClientReportControlBlock_setRptEna(block, False)
        return self.set(block, lib.RCB_ELEMENT_RPT_ENA)

    def taken(self, report):
        values = lib.ClientReport_getDataSetValues(report)
        members = {}
        for place in range(lib.MmsValue_getArraySize(values)):
            reason = lib.ClientReport_getReasonForInclusion(report, place)
            if reason != lib.IEC61850_REASON_NOT_INCLUDED:
                value = lib_values.value_of(lib.MmsValue_getElement(values, place))
                members[str(place)] = [value[0], lib.ReasonForInclusion_getValueAsString(reason)]
        entry = lib.ClientReport_getEntryId(report)
        has_overflow = lib.ClientReport_hasBufOvfl(report) and lib.ClientReport_getBufOvfl(report)
        with self.lock:
            if entry:
                self.entry = lib_values.value_of(entry)
            self.came.append([lib.ClientReport_getSeqNum(report), has_overflow, members])

    def last_entry(self):
        return self.entry

    def reports(self):
        with self.lock:
            came, self.came = self.came, []
        return came

    def abort(self):
        good(lib.IedConnection_abort(self.connection))

    def close(self):
        good(lib.IedConnection_release(self.connection))


serve(Subscriber().run)
