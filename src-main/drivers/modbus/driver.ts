/** Modbus as a protocol of the house: codec, framing, session and server put together. */

import { ProtocolType } from '#shared/domain/enums.ts';
import type { ProtocolDriver } from '../spi/index.ts';
import { carriedByMbap } from './carries.ts';
import { ModbusClient } from './client/client.ts';
import { forecastSteps } from './client/forecast.ts';
import { mbapDiagnostics } from './diagnostics/index.ts';
import { explainMbap } from './explain/explain.ts';
import { mbapSession } from './link/session.ts';
import { modbusLists } from './lists/dialect.ts';
import { addressSpan, normalizeModbusPoint, POINT_FIELDS } from './point-rules.ts';
import { ModbusServer } from './server/server.ts';
import { mbapPeer } from './server/server-peer.ts';
import { channelSettings, modbusNotation, pointSettings } from './settings.ts';
import { encodeWrite, rawRange, readingsOf } from './values.ts';

/** What request and answer have beyond RTU frames: a header of 7 octets in place of unit and CRC, each. */
const MBAP_EXTRA_OCTETS = 2 * (7 - 3);

/** Modbus TCP (MODBUS Application Protocol V1.1b3; MODBUS Messaging on TCP/IP Implementation Guide V1.0b). */
export const modbusTcpDriver: ProtocolDriver = {
  descriptor: {
    protocolType: ProtocolType.modbusTcp,
    key: 'modbus-tcp',
    modes: ['batch', 'single'],
    commandSteps: ['operate'],
    channelFields: ['timeout_ms', 'retries', 'request_gap_ms', 'max_gap', 'address_base'],
    channelSettings,
    pointFields: POINT_FIELDS,
    pointSettings,
    notation: modbusNotation,
  },
  normalizePoint: normalizeModbusPoint,
  addressSpan,
  rawRange,
  readingsOf,
  isReadable: () => true,
  checkValue(point, value) {
    encodeWrite(point, value);
  },
  forecast: (points, settings, options) => forecastSteps(points, settings, options, MBAP_EXTRA_OCTETS),
  clientNeedsPoints: false,
  async connect(io) {
    return new ModbusClient(io, mbapSession);
  },
  serve(io) {
    return new ModbusServer(io, channelSettings.parse(io.settings.protocol), mbapPeer);
  },
  diagnostics: mbapDiagnostics,
  lists: modbusLists,
  carries: carriedByMbap,
  explain: explainMbap,
};
