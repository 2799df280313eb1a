/** DL/T 645 as a protocol of the house: codec, framing, session and simulated meters put together. */
import { FrameType, ProtocolType } from '#shared/domain/enums.ts';
import { isListening } from '#shared/domain/listening.ts';
import { runSteps } from '../../platform/steps.ts';
import { keepLineMemory } from '../kit/line-memory.ts';
import type { ProtocolDriver } from '../spi/index.ts';
import { carriedItems } from './carries.ts';
import { METER_CHECKS } from './checks/meter-checks.ts';
import { Dlt645Client } from './client/client.ts';
import { forecastSteps } from './client/forecast.ts';
import { OPERATIONS } from './client/operations.ts';
import { checkWrittenValue } from './client/write-values.ts';
import { meterDiagnostics } from './diagnostics/diagnostics.ts';
import { explainDlt645 } from './explain/explain.ts';
import { findIdentifiers, hintOfIdentifier } from './explain/hint.ts';
import { factsOfMeterFrame } from './facts.ts';
import { dlt645Lists } from './lists/dialect.ts';
import { Dlt645Server } from './meter/server.ts';
import { CapturedMeterReads } from './overhear/captured-reads.ts';
import { heardItemsOf } from './overhear/heard-items.ts';
import { listenToMeters } from './overhear/listener.ts';
import { normalizeMeterPoint, POINT_FIELDS } from './point-rules.ts';
import { secretSettings } from './secrets.ts';
import { channelSettings, commandOptions, pointSettings } from './settings.ts';

/** What frames of it are called in a capture. */
const LINE_NAME = 'DL/T 645';

/** DL/T 645-2007 and DL/T 645-1997, over serial lines and TCP. */
export const dlt645Driver: ProtocolDriver = {
  descriptor: {
    protocolType: ProtocolType.dlt645,
    key: 'dlt645',
    modes: ['batch', 'single'],
    commandSteps: ['operate'],
    commandOptions,
    channelFields: ['timeout_ms', 'retries', 'request_gap_ms'],
    channelSettings,
    pointFields: POINT_FIELDS,
    pointSettings,
    secrets: secretSettings,
    operations: [METER_CHECKS, ...OPERATIONS],
    frameCheck: 'sum',
    notation: {
      address: { term: 'data_identifier', form: 'hexadecimal', digits: 8, files: 'hexadecimal' },
      slave: { term: 'meter', digits: 12, setting: 'meter_address' },
      functions: 'hexadecimal',
      columns: { address: 90, hex: 92, slave_id: 112, value: 200 },
    },
  },
  normalizePoint: normalizeMeterPoint,
  pointHint: hintOfIdentifier,
  findItems: findIdentifiers,
  addressSpan: (point) => ({ space: `meter ${point.slave_id} ${point.protocol.edition ?? 2007}`, length: 1 }),
  checkValue: checkWrittenValue,
  isReadable: (point) => point.frame_type !== FrameType.yk,
  forecast: forecastSteps,
  unknownObjects: (memory) => heardItemsOf(memory).list(),
  keepOfLine: keepLineMemory,
  diagnostics: meterDiagnostics,
  async connect(io) {
    const { connType, protocol } = io.settings;
    if (isListening({ conn_type: connType, protocol })) return listenToMeters(io, channelSettings.parse(protocol));
    return new Dlt645Client(io);
  },
  serve: (io) => runSteps(new Dlt645Server(io).started()),
  serveSteps: (io) => new Dlt645Server(io).started(),
  captureForm: () => ({ carrier: 'line', dissector: 'data', protocol: LINE_NAME }),
  capturedReads: ({ carrier, line }) => (carrier === 'line' && line !== LINE_NAME ? null : new CapturedMeterReads()),
  carries: (bytes, { request }) => carriedItems(bytes, request),
  facts: factsOfMeterFrame,
  lists: dlt645Lists,
  explain: explainDlt645,
};
