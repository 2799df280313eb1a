"""IEC 60870-5-104 peer on c104 (lib60870), told what to do by lines on standard input; one line answers each.

  c104_peer.py station PORT [CERTIFICATE KEY CA]   prints `listening`, then serves; commands:
      add CA IOA TYPE [direct|select [RELATED]]    adds an object
      set CA IOA VALUE [FLAG...]                   sets value and quality, sends nothing
      send CA IOA [CAUSE]                          sends the object, spontaneously unless said otherwise
      batch CA CAUSE IOA...                        sends objects of one type in one message
      report CA IOA MS                             sends the object periodically; 0: no more
      get CA IOA                                   value
      refuse CA IOA | accept CA IOA                what becomes of commands to an object
      delay CA IOA MS                              the next command to an object is answered that late
      received                                     commands since last asked: `CA/IOA/VALUE/select|execute/QUALIFIER`
      clock                                        milliseconds that the last clock synchronisation is off, or `none`
      restart                                      sends end of initialisation
      stop | start                                 closes the port with all connections, opens it again
  c104_peer.py centre PORT [CERTIFICATE KEY CA]    prints `ready`; commands:
      connect                                      answers when data transfer is started
      stop | start                                 stops and starts data transfer of the connection
      expect CA IOA TYPE                           names an object before it comes; others are added as they come
      interrogate CA [GROUP] | counters CA [GROUP] | clock CA | test CA [plain] | read CA IOA TYPE      send the request and wait for nothing
      freeze CA MODE                               sends a counter interrogation that freezes (1, 2) or resets (3)
      cancel CA                                    sends the deactivation of an interrogation
      seen                                         messages since last asked: `CA/TYPE/CAUSE/OBJECTS`, a negative one `CA/TYPE/-CAUSE/OBJECTS`
      initialized                                  ends of initialisation since last asked: `CA/CAUSE`
      get CA IOA                                   type, value, flags and time in milliseconds of an object as received
      command CA IOA TYPE VALUE [select]           `ok 1` when it was confirmed

Answers: `ok WORD...` or `failed TEXT`. Values are those of the wire: a double point is 0 intermediate, 1 off, 2 on, 3 bad.
"""

import datetime
import os
import sys
import time
import traceback

import c104

FLAGS = {
    "IV": c104.Quality.Invalid,
    "NT": c104.Quality.NonTopical,
    "SB": c104.Quality.Substituted,
    "BL": c104.Quality.Blocked,
    "OV": c104.Quality.Overflow,
}
NAME_OF_FLAG = {flag: name for name, flag in FLAGS.items()}
WAIT_S = 5
# Octets between the object address of a command and its qualifier, by type; none: it has no qualifier.
COMMANDS = {45: 0, 46: 0, 47: 0, 48: 2, 49: 2, 50: 4, 51: None, 58: 0, 59: 0, 60: 0, 61: 2, 62: 2, 63: 4, 64: None}

# The library prints on standard output as it likes; answers go where nobody else writes.
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def say(*words):
    print(*words, file=ANSWERS, flush=True)


def by_value(kind, number):
    for member in kind.__members__.values():
        if int(member.value) == number:
            return member
    raise ValueError(f"{kind} has no {number}")


def by_bits(kind, number):
    result = kind(0) if number == 0 else None
    for member in kind.__members__.values():
        if int(member.value) & number:
            result = member if result is None else result | member
    return result


def number_of(value):
    if value is None:
        return "none"
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, c104.Byte32):
        return int.from_bytes(bytes(value), "little")
    if hasattr(value, "value"):
        return int(value.value)
    as_float = float(value)
    return int(as_float) if as_float == int(as_float) else as_float


def flags_of(quality):
    if isinstance(quality, c104.BinaryCounterQuality):
        return ",".join(name for name, member in c104.BinaryCounterQuality.__members__.items() if int((quality & member).value)) or "-"
    if not isinstance(quality, c104.Quality):
        return "-"
    return ",".join(name for flag, name in NAME_OF_FLAG.items() if int((quality & flag).value)) or "-"


def information(kind, value, flags):
    """An information object of type `kind` with a value of the wire."""
    quality = c104.Quality()
    for flag in flags:
        quality |= FLAGS[flag]
    name = kind.name
    common = {"quality": quality, "recorded_at": datetime.datetime.now(datetime.timezone.utc)}
    whole = int(float(value))
    if name.startswith("M_SP"):
        return c104.SingleInfo(on=bool(whole), **common)
    if name.startswith("M_DP"):
        return c104.DoubleInfo(state=by_value(c104.Double, whole), **common)
    if name.startswith("M_ST"):
        return c104.StepInfo(state=c104.Int7(whole), transient=False, **common)
    if name.startswith("M_BO"):
        return c104.BinaryInfo(blob=c104.Byte32(whole.to_bytes(4, "little")), **common)
    if name in ("M_ME_NA_1", "M_ME_ND_1", "M_ME_TD_1"):
        return c104.NormalizedInfo(actual=c104.NormalizedFloat(float(value)), **common)
    if name in ("M_ME_NB_1", "M_ME_TE_1"):
        return c104.ScaledInfo(actual=c104.Int16(whole), **common)
    if name in ("M_ME_NC_1", "M_ME_TF_1"):
        return c104.ShortInfo(actual=float(value), **common)
    if name.startswith("M_IT"):
        counter_quality = c104.BinaryCounterQuality.Invalid if "IV" in flags else c104.BinaryCounterQuality()
        return c104.BinaryCounterInfo(counter=whole, sequence=c104.UInt5(3), quality=counter_quality, recorded_at=common["recorded_at"])
    if name == "M_PS_NA_1":
        return c104.StatusAndChanged(status=by_bits(c104.PackedSingle, whole), changed=by_bits(c104.PackedSingle, 0), **common)
    if name == "M_EP_TD_1":
        return c104.ProtectionEventInfo(state=by_value(c104.EventState, whole), elapsed_ms=c104.UInt16(7), **common)
    if name == "M_EP_TE_1":
        return c104.ProtectionStartInfo(events=by_bits(c104.StartEvents, whole), relay_duration_ms=c104.UInt16(7), **common)
    if name == "M_EP_TF_1":
        return c104.ProtectionCircuitInfo(events=by_bits(c104.OutputCircuits, whole), relay_duration_ms=c104.UInt16(7), **common)
    raise ValueError(f"no value for {name}")


def order(kind, value):
    """A command of type `kind`."""
    name = kind.name
    if name in ("C_SE_NC_1", "C_SE_TC_1"):
        return c104.ShortCmd(target=float(value))
    whole = int(float(value))
    if name.startswith("C_SC"):
        return c104.SingleCmd(on=bool(whole), qualifier=c104.Qoc.SHORT_PULSE)
    if name.startswith("C_DC"):
        return c104.DoubleCmd(state=by_value(c104.Double, whole))
    if name.startswith("C_RC"):
        return c104.StepCmd(direction=by_value(c104.Step, whole))
    if name in ("C_SE_NA_1", "C_SE_TA_1"):
        return c104.NormalizedCmd(target=c104.NormalizedFloat(float(value)))
    if name in ("C_SE_NB_1", "C_SE_TB_1"):
        return c104.ScaledCmd(target=c104.Int16(whole))
    return c104.BinaryCmd(blob=c104.Byte32(whole.to_bytes(4, "little")))


def security(files):
    if not files:
        return None
    certificate, key, ca = files
    tls = c104.TransportSecurity(validate=True, only_known=False)
    tls.set_certificate(cert=certificate, key=key)
    tls.set_ca_certificate(cert=ca)
    tls.set_version(min=c104.TlsVersion.TLS_1_2, max=c104.TlsVersion.NOT_SELECTED)
    return tls


def use_defaults(parameters):
    # Some versions of the package come with much shorter times than the standard has.
    parameters.connection_timeout = 10
    parameters.message_timeout = 15
    parameters.confirm_interval = 10
    parameters.keep_alive_interval = 20


def eventually(is_true):
    end = time.monotonic() + WAIT_S
    while not is_true():
        if time.monotonic() > end:
            raise TimeoutError("it did not happen in time")
        time.sleep(0.01)


class Station:
    def __init__(self, port, files):
        self.server = c104.Server(
            ip="127.0.0.1", port=port, tick_rate_ms=50, select_timeout_ms=1500, transport_security=security(files)
        )
        use_defaults(self.server.protocol_parameters)
        self.refused = set()
        self.delays = {}
        self.commands = []
        self.clock_offset = "none"

        def on_clock_sync(server: c104.Server, ip: str, date_time: datetime.datetime) -> c104.ResponseState:
            now = datetime.datetime.now(datetime.timezone.utc)
            given = date_time if date_time.tzinfo else date_time.astimezone()
            self.clock_offset = round((given - now).total_seconds() * 1000)
            return c104.ResponseState.SUCCESS

        def on_command(point: c104.Point, previous_info: c104.Information, message: c104.IncomingMessage) -> c104.ResponseState:
            qualifier = getattr(point.info, "qualifier", 0)
            step = "select" if message.is_select_command else "execute"
            address = f"{point.station.common_address}/{point.io_address}"
            self.commands.append(f"{address}/{number_of(point.value)}/{step}/{number_of(qualifier)}")
            state = c104.ResponseState.FAILURE if address in self.refused else c104.ResponseState.SUCCESS
            time.sleep(self.delays.pop(address, 0))
            return state

        self.on_command = on_command
        self.server.on_clock_sync(callable=on_clock_sync)
        self.server.start()

    def point(self, ca, ioa):
        return self.server.get_station(common_address=int(ca)).get_point(io_address=int(ioa))

    def run(self, word, *rest):
        if word == "add":
            ca, ioa, kind, *mode = rest
            station = self.server.get_station(common_address=int(ca)) or self.server.add_station(common_address=int(ca))
            point = station.add_point(io_address=int(ioa), type=getattr(c104.Type, kind))
            if kind.startswith("C_"):
                point.on_receive(callable=self.on_command)
            if mode and mode[0] == "select":
                point.command_mode = c104.CommandMode.SELECT_AND_EXECUTE
            if len(mode) > 1:
                point.related_io_address = int(mode[1])
                point.related_io_autoreturn = True
            return []
        if word == "set":
            point = self.point(*rest[:2])
            point.info = information(point.type, rest[2], rest[3:])
            return []
        if word == "send":
            return [int(self.point(*rest[:2]).transmit(cause=getattr(c104.Cot, (rest[2:] or ["SPONTANEOUS"])[0])))]
        if word == "batch":
            ca, cause, *objects = rest
            batch = c104.Batch(cause=getattr(c104.Cot, cause), points=[self.point(ca, ioa) for ioa in objects])
            return [int(self.server.transmit_batch(batch))]
        if word == "report":
            self.point(*rest[:2]).report_ms = int(rest[2])
            return []
        if word == "get":
            return [number_of(self.point(*rest).value)]
        if word in ("refuse", "accept"):
            (self.refused.add if word == "refuse" else self.refused.discard)("/".join(rest))
            return []
        if word == "delay":
            self.delays["/".join(rest[:2])] = float(rest[2]) / 1000
            return []
        if word == "received":
            words, self.commands = self.commands, []
            return words
        if word == "clock":
            return [self.clock_offset]
        if word == "restart":
            for station in self.server.stations:
                station.signal_initialized(cause=c104.Coi.REMOTE_RESET)
            return []
        if word == "stop":
            self.server.stop()
            return []
        if word == "start":
            self.server.start()
            return []
        raise ValueError(f"there is no command {word}")


class Centre:
    def __init__(self, port, files):
        self.client = c104.Client(tick_rate_ms=50, command_timeout_ms=3000, transport_security=security(files))
        self.client.originator_address = 5
        self.connection = self.client.add_connection(ip="127.0.0.1", port=port, init=c104.Init.NONE)
        use_defaults(self.connection.protocol_parameters)

        def on_new_station(client: c104.Client, connection: c104.Connection, common_address: int) -> None:
            connection.add_station(common_address=common_address)

        def on_new_point(client: c104.Client, station: c104.Station, io_address: int, point_type: c104.Type) -> None:
            station.add_point(io_address=io_address, type=point_type)

        def on_station_initialized(client: c104.Client, station: c104.Station, cause: c104.Coi) -> None:
            self.starts.append(f"{station.common_address}/{number_of(cause)}")

        def on_receive_raw(connection: c104.Connection, data: bytes) -> None:
            if len(data) > 11:
                sign = "-" if data[8] & 0x40 else ""
                self.messages.append(f"{int.from_bytes(data[10:12], 'little')}/{data[6]}/{sign}{data[8] & 0x3F}/{data[7] & 0x7F}")
            # an answer to a command: of a selection where the highest bit behind the value is set
            if len(data) > 15 and data[6] in COMMANDS and data[8] & 0x3F in (7, 44, 45, 46, 47):
                is_select = COMMANDS[data[6]] is not None and data[15 + COMMANDS[data[6]]] >= 0x80
                self.answers.append((data[6], int.from_bytes(data[12:15], "little"), is_select, data[8] & 0x40 == 0))

        self.answers = []
        self.messages = []
        self.starts = []
        self.client.on_station_initialized(callable=on_station_initialized)
        self.connection.on_receive_raw(callable=on_receive_raw)
        self.client.on_new_station(callable=on_new_station)
        self.client.on_new_point(callable=on_new_point)

    def station(self, ca):
        return self.connection.get_station(common_address=int(ca)) or self.connection.add_station(common_address=int(ca))

    def point(self, ca, ioa, kind=None):
        station = self.station(ca)
        point = station.get_point(io_address=int(ioa))
        if point is None and kind is not None:
            point = station.add_point(io_address=int(ioa), type=getattr(c104.Type, kind))
        if point is None:
            raise ValueError(f"nothing came from {ca}/{ioa}")
        return point

    def run(self, word, *rest):
        if word == "connect":
            self.client.start()
            eventually(lambda: self.connection.is_connected)
            self.connection.unmute()
            eventually(lambda: self.connection.state == c104.ConnectionState.OPEN)
            return []
        if word == "expect":
            self.point(*rest)
            return []
        if word == "stop":
            self.connection.mute()
            eventually(lambda: self.connection.state == c104.ConnectionState.OPEN_MUTED)
            return []
        if word == "start":
            self.connection.unmute()
            eventually(lambda: self.connection.state == c104.ConnectionState.OPEN)
            return []
        # what the library says of an answer is not asked for: it misses those that come very soon
        if word in ("interrogate", "cancel"):
            qualifier = by_value(c104.Qoi, 20 + int((rest[1:] or ["0"])[0]))
            cause = c104.Cot.ACTIVATION if word == "interrogate" else c104.Cot.DEACTIVATION
            self.connection.interrogation(common_address=int(rest[0]), cause=cause, qualifier=qualifier, wait_for_response=False)
            return []
        if word == "counters":
            qualifier = by_value(c104.Rqt, int((rest[1:] or ["5"])[0]))
            self.connection.counter_interrogation(common_address=int(rest[0]), qualifier=qualifier, wait_for_response=False)
            return []
        if word == "freeze":
            freeze = by_value(c104.Frz, int(rest[1]))
            self.connection.counter_interrogation(common_address=int(rest[0]), freeze=freeze, wait_for_response=False)
            return []
        if word == "seen":
            words, self.messages = self.messages, []
            return words
        if word == "initialized":
            words, self.starts = self.starts, []
            return words
        if word == "clock":
            self.connection.clock_sync(common_address=int(rest[0]), wait_for_response=False)
            return []
        if word == "test":
            self.connection.test(common_address=int(rest[0]), with_time=len(rest) == 1, wait_for_response=False)
            return []
        if word == "read":
            self.point(*rest).read()
            return []
        if word == "command":
            ca, ioa, kind, value, *mode = rest
            point = self.point(ca, ioa, kind)
            point.command_mode = c104.CommandMode.SELECT_AND_EXECUTE if mode else c104.CommandMode.DIRECT
            point.info = order(point.type, value)
            # the library misses answers that come very soon, so that what came is looked at instead of what it says
            for _ in range(3):
                self.answers.clear()
                point.transmit(cause=c104.Cot.ACTIVATION)
                of = (int(point.type.value), int(ioa))
                eventually(lambda: any(answer[:2] == of for answer in self.answers))
                if (*of, False, True) in self.answers:
                    return [1]
                if any(answer[:2] == of and not answer[3] for answer in self.answers):
                    return [0]
                # a selection whose confirmation was missed is not followed by the execution
            return [0]
        if word != "get":
            raise ValueError(f"there is no command {word}")
        point = self.point(*rest)
        at = point.recorded_at
        return [point.type.name, number_of(point.value), flags_of(point.quality), round(at.timestamp() * 1000) if at else "none"]


def main(role, port, *files):
    peer = Station(int(port), files) if role == "station" else Centre(int(port), files)
    say("listening" if role == "station" else "ready")
    for line in sys.stdin:
        try:
            say("ok", *peer.run(*line.split()))
        except Exception as error:
            traceback.print_exc()
            say("failed", repr(error).replace("\n", " "))


main(*sys.argv[1:])
