/** IEC 60870-5-104 as a protocol of the house: codec, link, controlling and controlled station put together. */
import { FrameType, ProtocolType } from '#shared/domain/enums.ts';
import { runSteps } from '../../platform/steps.ts';
import type { DriverChannelSettings, ProtocolDriver } from '../spi/index.ts';
import { tlsOf } from '../spi/tls.ts';
import { carriedObjects } from './carries.ts';
import { Iec104Client } from './client/client.ts';
import { unknownObjectsOf } from './client/client-memory.ts';
import { OPERATIONS } from './client/client-operations.ts';
import { iec104Examination } from './client/examination.ts';
import { typeSpec } from './codec/types.ts';
import { commandValue } from './command-values.ts';
import { explainApdu } from './explain/explain.ts';
import { factsOfApdu } from './facts.ts';
import { CapturedStation } from './link/captured-values.ts';
import { iec104Lists } from './lists/dialect.ts';
import { addressSpan, isControl, normalizeIec104Point, POINT_FIELDS, pointFacts, pointSettings } from './point-rules.ts';
import { plainType } from './point-types.ts';
import { channelSettings, commandOptions, type Iec104Settings, storedSizes, windowWarnings } from './settings.ts';
import { Iec104Station } from './station/station.ts';

/** IEC 60870-5-104: controlling station (TCP client) and controlled station (TCP server). */
export const iec104Driver: ProtocolDriver = {
  descriptor: {
    protocolType: ProtocolType.iec104,
    key: 'iec104',
    modes: ['batch', 'single'],
    commandSteps: ['operate', 'select', 'execute', 'cancel'],
    commandOptions,
    channelFields: ['timeout_ms', 'retries'],
    channelSettings,
    pointFields: POINT_FIELDS,
    pointSettings,
    operations: OPERATIONS,
    reportsChanges: true,
    echoesCommands: true,
    unknownObjects: { client: true, server: false },
    confirmsLate: true,
    notation: {
      address: { term: 'object_address', form: 'decimal', digits: 4, files: 'decimal' },
      slave: { term: 'common_address', digits: 1, setting: '' },
      functions: 'decimal',
      columns: { address: 84, hex: 76, slave_id: 68 },
    },
  },
  normalizePoint: normalizeIec104Point,
  addressSpan,
  isReadable: (point) => !isControl(point) && !isEventOnly(point),
  checkValue(point, value) {
    if (point.frame_type === FrameType.yk || point.frame_type === FrameType.yt) commandValue(point, value);
  },
  lineOptions(settings) {
    const protocol = settingsOf(settings);
    const connectTimeoutMs = protocol.t0_s * 1000;
    const tls = tlsOf(protocol);
    return tls ? { connectTimeoutMs, tls } : { connectTimeoutMs };
  },
  unknownObjects(memory) {
    const unknown = unknownObjectsOf(memory);
    return { items: unknown.list(), dropped: unknown.dropped };
  },
  async connect(io, signal) {
    const client = new Iec104Client(io, settingsOf(io.settings));
    await client.start(signal);
    return client;
  },
  serve: (io) => runSteps(new Iec104Station(io, settingsOf(io.settings)).started()),
  serveSteps: (io) => new Iec104Station(io, settingsOf(io.settings)).started(),
  settingsWarnings: windowWarnings,
  examination: iec104Examination,
  captureForm: () => ({ carrier: 'tcp', port: 2404 }),
  capturedReads: ({ carrier }) => (carrier === 'tcp' ? new CapturedStation() : null),
  carries: (bytes, { settings }) => carriedObjects(bytes, storedSizes(settings)),
  facts: (bytes, { kind, settings }) => (kind === 'noise' ? null : factsOfApdu(bytes, storedSizes(settings))),
  lists: iec104Lists,
  explain: (bytes, context) => explainApdu(bytes, context, storedSizes(context.settings)),
};

/** Events of protection equipment are sent when they happen and cannot be asked for. */
function isEventOnly(point: Parameters<ProtocolDriver['isReadable']>[0]): boolean {
  const { typeId } = pointFacts(point);
  return plainType(typeId) === typeId && typeSpec(typeId)?.time !== null;
}

function settingsOf(settings: DriverChannelSettings): Iec104Settings {
  return channelSettings.parse(settings.protocol);
}
