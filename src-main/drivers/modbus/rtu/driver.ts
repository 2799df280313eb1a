/** Modbus RTU as a protocol of the house: master and slave on serial ports, and the same frames over TCP. */

import { isSerial, isServing, ProtocolType } from '#shared/domain/enums.ts';
import { fieldIssue } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { ProtocolDriver } from '../../spi/index.ts';
import { carriedByRtu } from '../carries.ts';
import { ModbusClient } from '../client/client.ts';
import { forecastSteps } from '../client/forecast.ts';
import { rtuDiagnostics } from '../diagnostics/index.ts';
import { modbusTcpDriver } from '../driver.ts';
import type { SessionMaker } from '../link/exchange-session.ts';
import { modbusLists } from '../lists/dialect.ts';
import { addressSpan, normalizeModbusPoint, POINT_FIELDS } from '../point-rules.ts';
import { ModbusServer } from '../server/server.ts';
import type { PeerMaker } from '../server/serving.ts';
import { encodeWrite, rawRange, readingsOf } from '../values.ts';
import { explainRtu } from './explain.ts';
import { RtuSession } from './session.ts';
import { echoOf, type RtuChannelSettings, rtuChannelSettings, timingOf } from './settings.ts';
import { SlaveLine } from './slave-line.ts';

const BROADCAST = 0;

function sessionMaker(protocol: RtuChannelSettings): SessionMaker {
  return ({ io, health, slowestMs }) => {
    const { clock, line, frames, settings, sink } = io;
    return new RtuSession({
      clock,
      line,
      frames,
      health,
      timing: timingOf(settings),
      timeoutMs: settings.timeoutMs,
      requestGapMs: settings.requestGapMs ?? 0,
      turnAroundMs: protocol.broadcast_pause_ms,
      echo: echoOf(protocol),
      tellingRequests: protocol.telling_requests,
      notice: (text) => sink.notice(text),
      slowestMs,
    });
  };
}

function peerMaker(protocol: RtuChannelSettings): PeerMaker {
  return (peer, frames, serving) => {
    const { settings } = serving.io;
    return new SlaveLine(peer, frames, {
      ...serving,
      timing: timingOf(settings),
      isAlone: !isSerial(settings.connType),
      echo: echoOf(protocol),
    });
  };
}

/**
 * Modbus RTU (MODBUS over Serial Line Specification and Implementation Guide V1.02; MODBUS Application Protocol V1.1b3): master and slave on
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
  checkValue(point, value) {
    encodeWrite(point, value);
  },
  forecast: forecastSteps,
  clientNeedsPoints: false,
  async connect(io) {
    return new ModbusClient(io, sessionMaker(rtuChannelSettings.parse(io.settings.protocol)));
  },
  serve(io) {
    const protocol = rtuChannelSettings.parse(io.settings.protocol);
    return new ModbusServer(io, protocol, peerMaker(protocol));
  },
  diagnostics: rtuDiagnostics,
  lists: modbusLists,
  carries: carriedByRtu,
  explain: explainRtu,
};
