/** IEC 61850 (MMS) as a protocol of the house: association, model, client and simulated device put together. */
import { ProtocolType } from '#shared/domain/enums.ts';
import { runSteps, type Steps } from '../../platform/steps.ts';
import type { DriverChannelSettings, DriverConnection, ProtocolDriver, ServerIo } from '../spi/index.ts';
import type { ModelSource } from '../spi/model.ts';
import { tlsOf } from '../spi/tls.ts';
import { CapturedDevice } from './captured/captured-device.ts';
import { carriedAttributes } from './carries.ts';
import { type ChannelMemory, memoryOf } from './channel-memory.ts';
import { Iec61850Client } from './client.ts';
import { iec61850Examination } from './examination.ts';
import { explainTpkt } from './explain.ts';
import { factsOfTpkt } from './facts.ts';
import { sclDocuments } from './model/documents.ts';
import { modelPlace } from './model/references.ts';
import { OPERATIONS } from './operations.ts';
import { addressSpan, isControlPoint, normalizeIec61850Point } from './point-rules.ts';
import { serveSteps } from './server/server.ts';
import { channelSettings, commandOptions, type Iec61850Settings, POINT_FIELDS, pointSettings, secretSettings } from './settings.ts';

/** IEC 61850-8-1: client of a device, and a simulated device. */
export const iec61850Driver: ProtocolDriver = {
  descriptor: {
    protocolType: ProtocolType.iec61850,
    key: 'iec61850',
    modes: ['batch', 'single', 'dataset'],
    commandSteps: ['operate', 'select', 'execute', 'cancel'],
    commandOptions,
    tellsCommandState: true,
    cancelsUnderWay: true,
    channelFields: ['timeout_ms', 'retries'],
    channelSettings,
    pointFields: POINT_FIELDS,
    pointSettings,
    secrets: secretSettings,
    operations: OPERATIONS,
    notation: {
      address: { term: 'reference', form: 'reference', digits: 4, files: 'decimal' },
      slave: null,
      functions: 'decimal',
      columns: { reference: 300 },
    },
  },
  normalizePoint: (draft, _settings, model = null) => normalizeIec61850Point(draft, model),
  addressSpan,
  isReadable: (point) => !isControlPoint(point),
  lineOptions(settings) {
    const tls = tlsOf(settingsOf(settings));
    return tls ? { tls } : {};
  },
  documents: sclDocuments,
  model(memory, source) {
    const kept = memoryOf(memory);
    if (source && !kept.model.device) lookAtDocument(kept, source);
    return kept.model.status.state === 'unknown' ? null : kept.model;
  },
  modelPlace,
  keepAtStart(memory) {
    const kept = memoryOf(memory);
    kept.limits.clear();
    kept.reports.started();
    kept.forgetRefusal();
    return memory;
  },
  async connect(io, signal) {
    const client = new Iec61850Client(io, settingsOf(io.settings));
    await client.start(signal);
    return client;
  },
  serve: (io) => runSteps(served(io)),
  serveSteps: served,
  captureForm: () => ({ carrier: 'tcp', port: 102 }),
  capturedReads: ({ carrier }) => (carrier === 'tcp' ? new CapturedDevice() : null),
  examination: iec61850Examination,
  carries: carriedAttributes,
  facts: factsOfTpkt,
  explain: explainTpkt,
};

/** The simulated device, which shows its model as that of the channel. */
function served(io: ServerIo): Steps<DriverConnection> {
  const { model } = memoryOf(io.memory ?? new Map());
  return serveSteps(io, { onModel: (shown, source) => model.stepsOfUse(shown, source, io.clock.wallMs()) });
}

/** Before a first connection the document is all that is known. What is wrong with it stands in the status of the model. */
function lookAtDocument(kept: ChannelMemory, source: ModelSource): void {
  try {
    kept.takeDocument(() => source.document(), settingsOf(source.settings).ied_name, null);
  } catch {
    // asking for a model is no failure: the view says why there is none
  }
}

function settingsOf(settings: DriverChannelSettings): Iec61850Settings {
  return channelSettings.parse(settings.protocol);
}
