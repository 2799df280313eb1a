/** Modbus as a protocol of the house: codec, framing, session and server put together. */

import { ProtocolType } from '#shared/domain/enums.ts';
import { runSteps, type Steps } from '../../platform/steps.ts';
import type { DriverConnection, ProtocolDriver, ServerIo } from '../spi/index.ts';
import { carriedByMbap } from './carries.ts';
import { ModbusClient } from './client/client.ts';
import { forecastSteps } from './client/forecast.ts';
import type { LineFrames } from './client/line-time.ts';
import { SERVICE_OPERATIONS } from './client/operations.ts';
import { mbapDiagnostics } from './diagnostics/index.ts';
import { explainMbap } from './explain/explain.ts';
import { factsOfMbap } from './facts.ts';
import { CapturedMbapReads } from './link/captured-reads.ts';
import { answerDatagrams } from './link/datagram.ts';
import { MBAP_LENGTH, mbapFraming } from './link/mbap.ts';
import { mbapSession } from './link/session.ts';
import { modbusLists } from './lists/dialect.ts';
import { addressSpan, normalizeModbusPoint, POINT_FIELDS } from './point-rules.ts';
import { readingsOf } from './registers/readings.ts';
import { askedObjectsOf } from './server/asked-objects.ts';
import { ModbusServer } from './server/server.ts';
import { datagramPeer, mbapPeer } from './server/server-peer.ts';
import { channelSettings, isDatagram, modbusNotation, pointSettings, tcpChannelSettings, windowOf } from './settings.ts';
import { DISCOVER_SUNSPEC } from './sunspec/discovery.ts';
import { checkWrite, rawRange } from './values.ts';

const MBAP_FRAMES: LineFrames = { octetsOf: (pduLength) => MBAP_LENGTH + pduLength, gapMs: () => 0 };

/** Modbus TCP and, by a setting of the channel, UDP (MODBUS Application Protocol V1.1b3; MODBUS Messaging on TCP/IP Implementation Guide V1.0b). */
export const modbusTcpDriver: ProtocolDriver = {
  descriptor: {
    protocolType: ProtocolType.modbusTcp,
    key: 'modbus-tcp',
    modes: ['batch', 'single'],
    refusesByAddress: true,
    unknownObjects: { client: false, server: true },
    commandSteps: ['operate'],
    channelFields: ['timeout_ms', 'retries', 'request_gap_ms', 'max_gap', 'address_base'],
    channelSettings: tcpChannelSettings,
    pointFields: POINT_FIELDS,
    pointSettings,
    notation: modbusNotation,
    operations: [...SERVICE_OPERATIONS, DISCOVER_SUNSPEC],
  },
  normalizePoint: normalizeModbusPoint,
  addressSpan,
  rawRange,
  readingsOf,
  isDatagram,
  capturedReads: ({ carrier }) => (carrier === 'line' ? null : new CapturedMbapReads()),
  isReadable: () => true,
  unknownObjects: (memory) => askedObjectsOf(memory).list(),
  checkValue: checkWrite,
  forecast: (points, settings, options) => forecastSteps(points, settings, options, MBAP_FRAMES),
  clientNeedsPoints: false,
  async connect(io) {
    const window = windowOf(io.settings);
    const framing = isDatagram(io.settings.protocol) ? answerDatagrams : mbapFraming;
    return new ModbusClient(io, (parts) => mbapSession(parts, window, framing), { window });
  },
  serve: (io) => runSteps(served(io)),
  serveSteps: served,
  diagnostics: mbapDiagnostics,
  lists: modbusLists,
  captureForm: ({ protocol }) => ({ carrier: isDatagram(protocol) ? 'udp' : 'tcp', port: 502 }),
  carries: carriedByMbap,
  facts: factsOfMbap,
  explain: explainMbap,
};

function served(io: ServerIo): Steps<DriverConnection> {
  const { protocol } = io.settings;
  return new ModbusServer(io, channelSettings.parse(protocol), isDatagram(protocol) ? datagramPeer : mbapPeer).started();
}
