/** Modbus RTU and ASCII as a protocol of the house: master and slave on serial ports, and the same frames over TCP. */

import { isSerial, isServing, ProtocolType } from '#shared/domain/enums.ts';
import { fieldIssue } from '#shared/domain/errors.ts';
import { isListening } from '#shared/domain/listening.ts';
import { say } from '#shared/messages/index.ts';
import { runSteps, type Steps } from '../../../platform/steps.ts';
import { keepLineMemory } from '../../kit/line-memory.ts';
import type { DriverConnection, ProtocolDriver, ServerIo } from '../../spi/index.ts';
import { carriedByLine } from '../carries.ts';
import { ModbusClient } from '../client/client.ts';
import { forecastSteps } from '../client/forecast.ts';
import { LineTime } from '../client/line-time.ts';
import { rtuDiagnostics } from '../diagnostics/index.ts';
import { modbusTcpDriver } from '../driver.ts';
import { factsOfLine } from '../facts.ts';
import type { SessionMaker } from '../link/exchange-session.ts';
import { modbusLists } from '../lists/dialect.ts';
import { listenToModbus } from '../overhear/listener.ts';
import { addressSpan, normalizeModbusPoint, POINT_FIELDS } from '../point-rules.ts';
import { readingsOf } from '../registers/readings.ts';
import { askedObjectsOf } from '../server/asked-objects.ts';
import { ModbusServer } from '../server/server.ts';
import type { PeerMaker } from '../server/serving.ts';
import { checkWrite, rawRange } from '../values.ts';
import { asciiFraming } from './ascii.ts';
import { ASCII_LINE, capturedLineReads, RTU_LINE } from './captured-reads.ts';
import { explainAscii, explainRtu } from './explain.ts';
import { LineSession } from './session.ts';
import { echoOf, framingOf, type RtuChannelSettings, rtuChannelSettings, timingOf } from './settings.ts';
import { SlaveLine } from './slave-line.ts';

const BROADCAST = 0;

function sessionMaker(protocol: RtuChannelSettings): SessionMaker {
  return ({ io, health, slowestMs }) => {
    const { clock, line, frames, settings, sink, memory } = io;
    const framing = framingOf(protocol);
    return new LineSession({
      framing,
      clock,
      line,
      frames,
      health,
      timing: timingOf(settings, framing),
      timeoutMs: settings.timeoutMs,
      requestGapMs: settings.requestGapMs ?? 0,
      turnAroundMs: protocol.broadcast_pause_ms,
      echo: echoOf(protocol),
      tellingRequests: protocol.telling_requests,
      notice: (text) => sink.notice(text),
      memory,
      slowestMs,
    });
  };
}

function peerMaker(protocol: RtuChannelSettings): PeerMaker {
  return (peer, frames, serving) => {
    const { settings } = serving.io;
    const framing = framingOf(protocol);
    return new SlaveLine(peer, frames, {
      ...serving,
      framing,
      timing: timingOf(settings, framing),
      isAlone: !isSerial(settings.connType),
      echo: echoOf(protocol),
    });
  };
}

/**
 * Modbus RTU and, by a setting of the channel, ASCII (MODBUS over Serial Line Specification and Implementation Guide V1.02; MODBUS Application Protocol V1.1b3): master and slave on
 * serial ports, client and server with the same frames over TCP.
 */
export const modbusRtuDriver: ProtocolDriver = {
  descriptor: {
    ...modbusTcpDriver.descriptor,
    protocolType: ProtocolType.modbusRtu,
    key: 'modbus-rtu',
    frameCheck: 'crc',
    channelSettings: rtuChannelSettings,
    pointFields: POINT_FIELDS,
  },
  normalizePoint(draft, settings) {
    const { point, issues } = normalizeModbusPoint(draft, settings);
    const isQuestion = point.slave_id === BROADCAST && (draft.frame_type === 0 || draft.frame_type === 1);
    if (!isQuestion && !(point.slave_id === BROADCAST && isServing(settings.connType))) return { point, issues };
    return { point, issues: [...issues, fieldIssue('slave_id', say('point.modbus_broadcast'))] };
  },
  addressSpan,
  rawRange,
  readingsOf,
  isReadable: (point) => point.slave_id !== BROADCAST,
  unknownObjects: (memory) => askedObjectsOf(memory).list(),
  keepOfLine: keepLineMemory,
  checkValue: checkWrite,
  forecast: (points, settings, options) => forecastSteps(points, settings, options, framingOf(settings.protocol)),
  clientNeedsPoints: false,
  async connect(io) {
    const { settings } = io;
    if (isListening({ conn_type: settings.connType, protocol: settings.protocol })) {
      return listenToModbus(io, rtuChannelSettings.parse(settings.protocol));
    }
    const lineTime = isSerial(settings.connType) ? new LineTime(settings, framingOf(settings.protocol)) : null;
    return new ModbusClient(io, sessionMaker(rtuChannelSettings.parse(settings.protocol)), { lineTime });
  },
  serve: (io) => runSteps(served(io)),
  serveSteps: served,
  diagnostics: rtuDiagnostics,
  lists: modbusLists,
  captureForm: ({ protocol }) =>
    framingOf(protocol) === asciiFraming
      ? { carrier: 'line', dissector: 'data', protocol: ASCII_LINE }
      : { carrier: 'line', dissector: RTU_LINE, port: 502 },
  capturedReads: capturedLineReads,
  carries: carriedByLine,
  facts: factsOfLine,
  explain: (bytes, context) => (framingOf(context.settings.protocol) === asciiFraming ? explainAscii : explainRtu)(bytes, context),
};

function served(io: ServerIo): Steps<DriverConnection> {
  const protocol = rtuChannelSettings.parse(io.settings.protocol);
  return new ModbusServer(io, protocol, peerMaker(protocol)).started();
}
