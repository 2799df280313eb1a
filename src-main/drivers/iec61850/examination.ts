/** What the connection doctor looks at behind host, port and TLS: selectors, association, MMS, model. Nothing is written or operated. */

import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverExamination, ExaminationContext, ExaminationLine, LayerVerdict } from '../spi/examination.ts';
import { MmsClient } from './association/mms-client.ts';
import type { Negotiated } from './association/negotiation.ts';
import { memoryOf } from './channel-memory.ts';
import { Iec61850Client } from './client.ts';
import { type Judgement, judgeAssociationError, selectorParams } from './examination-errors.ts';
import { Learner } from './learn.ts';
import { parseReference } from './model/references.ts';
import { TypePool } from './model/types.ts';
import { associationOf, channelSettings, type Iec61850Settings } from './settings.ts';

/** Below this many octets long answers do not fit a PDU. */
const SMALL_PDU = 1500;
/** Logical devices that a sentence names. */
const MOST_NAMED = 6;
/** AP titles and AE qualifiers left out. */
const WITHOUT_TITLES = { remote_ap_title: '', local_ap_title: '', remote_ae_qualifier: null, local_ae_qualifier: null };
const WITHOUT_SELECTORS = { remote_transport_selector: '', remote_session_selector: '', remote_presentation_selector: '' };

/** The examination of a client channel. */
export const iec61850Examination: DriverExamination = {
  layers: ['selectors', 'association', 'initiate', 'model'],
  examine: (context) => (context.standing ? examineStanding(context) : examineDevice(context)),
};

async function* examineStanding(context: ExaminationContext): AsyncGenerator<LayerVerdict, void> {
  const { standing } = context;
  if (!standing) return;
  const settings = channelSettings.parse(context.settings.protocol);
  yield { layer: 'selectors', state: 'good', code: 'SELECTORS_ACCEPTED' };
  yield { layer: 'association', state: 'good', code: 'ASSOCIATION_STANDS' };
  const negotiated = await standing.ask(async (connection) => (connection instanceof Iec61850Client ? connection.negotiated : null));
  if (negotiated) yield initiateVerdict(negotiated, settings);
  const { model } = memoryOf(new Map(standing.memory));
  const { state, counts, error, identity } = model.status;
  const note = identity
    ? ({ code: 'IDENTITY_SEEN', params: { ...identity } } as const)
    : ({ code: 'IDENTITY_NONE', params: { detail: say('iec61850.identity_not_asked') } } as const);
  const names = model.index.model.devices.map(({ name }) => name);
  const missing = missingDevices(context, names);
  const shared = { layer: 'model', notes: [note] } as const;
  if (state === 'failed' && names.length === 0) {
    yield { ...shared, state: 'warning', code: 'MODEL_REFUSED', params: { detail: error ?? '' } };
  } else if (missing.length > 0 && state === 'known') {
    yield { ...shared, state: 'warning', code: 'MODEL_MISSING', params: { missing: listed(missing), names: listed(names) } };
  } else if (state === 'known') {
    yield { ...shared, state: 'good', code: 'MODEL_LEARNT', params: { count: counts.logicalDevices, attributes: counts.attributes } };
  }
}

async function* examineDevice(context: ExaminationContext): AsyncGenerator<LayerVerdict, void> {
  context.show(say('iec61850.asking_association'));
  const settings = channelSettings.parse(context.settings.protocol);
  const session = await Session.open(context);
  try {
    if (session.error) {
      yield* refusalVerdicts(context, settings, session);
      return;
    }
    yield { layer: 'selectors', state: 'good', code: 'SELECTORS_ACCEPTED' };
    yield { layer: 'association', state: 'good', code: 'ASSOCIATION_ACCEPTED', params: { ms: session.ms } };
    if (session.negotiated) yield initiateVerdict(session.negotiated, settings);
    context.show(say('iec61850.asking_devices'));
    yield await modelVerdict(context, session.client);
  } finally {
    await session.close();
  }
}

/** Verdicts of an association that was not established. A refusal without a reason is tried again without what devices often do not take. */
async function* refusalVerdicts(
  context: ExaminationContext,
  settings: Iec61850Settings,
  { error, hasPassword }: Session,
): AsyncGenerator<LayerVerdict, void> {
  if (!error) return;
  const judged = judgeAssociationError(error, settings, hasPassword);
  if (!judged) throw error;
  const proved = judged.isWorthTrial ? await tried(context, settings, judged) : null;
  const verdict = proved ?? judged.verdict;
  if (verdict.layer === 'association' || verdict.layer === 'initiate') {
    const isProved = judged.kind === 'acse' || judged.kind === 'mms' || proved !== null;
    yield isProved
      ? { layer: 'selectors', state: 'good', code: 'SELECTORS_ACCEPTED' }
      : { layer: 'selectors', state: 'warning', code: 'SELECTORS_TRANSPORT', params: selectorParams(settings) };
  }
  if (verdict.layer === 'initiate') yield { layer: 'association', state: 'good', code: 'ASSOCIATION_ACCEPTED', params: { ms: 0 } };
  yield verdict;
}

/** One trial: without titles where the association was refused, without selectors where a selector may have been. */
async function tried(context: ExaminationContext, settings: Iec61850Settings, { verdict }: Judgement): Promise<LayerVerdict | null> {
  const trials =
    verdict.layer === 'association'
      ? ([
          ['ASSOCIATION_TITLES_PROVED', 'association', WITHOUT_TITLES],
          ['SELECTORS_PROVED', 'selectors', WITHOUT_SELECTORS],
        ] as const)
      : ([['SELECTORS_PROVED', 'selectors', WITHOUT_SELECTORS]] as const);
  for (const [code, layer, protocol] of trials) {
    context.show(layer === 'association' ? say('iec61850.trying_titles') : say('iec61850.trying_selectors'));
    const session = await Session.open(context, protocol);
    await session.close();
    if (!session.error) return { layer, state: 'bad', code, params: selectorParams(settings) };
  }
  return null;
}

function initiateVerdict({ maxPduOctets, window }: Negotiated, { max_pdu_size }: Iec61850Settings): LayerVerdict {
  const params = { pdu: maxPduOctets, window, size: max_pdu_size };
  return maxPduOctets < SMALL_PDU
    ? { layer: 'initiate', state: 'warning', code: 'INITIATE_SMALL', params }
    : { layer: 'initiate', state: 'good', code: 'INITIATE_GOOD', params };
}

async function modelVerdict(context: ExaminationContext, client: MmsClient): Promise<LayerVerdict> {
  const { settings, signal } = context;
  const learner = new Learner({ client, pool: new TypePool(), timeoutMs: settings.timeoutMs, signal, onProgress: () => undefined });
  let names: readonly string[];
  try {
    names = await learner.domains();
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'TIMEOUT_RESPONSE')
      return { layer: 'model', state: 'bad', code: 'MODEL_SILENT', params: { ms: settings.timeoutMs } };
    if (!error.code.startsWith('DEVICE_')) throw error;
    return { layer: 'model', state: 'warning', code: 'MODEL_REFUSED', params: { detail: error.said } };
  }
  const identity = await learner.identity();
  const detail = learner.leftOut[0]?.reason ?? say('iec61850.identity_no_service');
  const note = identity
    ? ({ code: 'IDENTITY_SEEN', params: { ...identity } } as const)
    : ({ code: 'IDENTITY_NONE', params: { detail } } as const);
  const shared = { layer: 'model', notes: [note] } as const;
  if (names.length === 0) return { ...shared, state: 'bad', code: 'MODEL_NONE' };
  const missing = missingDevices(context, names);
  const params = { count: names.length, names: listed(names), missing: listed(missing) };
  return missing.length > 0
    ? { ...shared, state: 'warning', code: 'MODEL_MISSING', params }
    : { ...shared, state: 'good', code: 'MODEL_SEEN', params };
}

/** Logical devices that points of the table name and the device has not. */
function missingDevices({ points }: ExaminationContext, names: readonly string[]): readonly string[] {
  const named = new Set(points.flatMap(({ reference }) => parseReference(reference)?.domain ?? []));
  return [...named].filter((domain) => !names.includes(domain));
}

function listed(names: readonly string[]): string {
  return names.slice(0, MOST_NAMED).join(', ') + (names.length > MOST_NAMED ? ', …' : '');
}

/** One association on a line of its own. */
class Session {
  readonly client: MmsClient;
  readonly hasPassword: boolean;
  negotiated: Negotiated | null = null;
  /** Why there is none. */
  error: AppError | null = null;
  ms = 0;

  private constructor(client: MmsClient, hasPassword: boolean) {
    this.client = client;
    this.hasPassword = hasPassword;
  }

  /** Rejects with what keeps the line from opening, and with `CANCELLED`; a refused association is `error`. */
  static async open(context: ExaminationContext, protocol: Readonly<Record<string, unknown>> = {}): Promise<Session> {
    const { clock, signal } = context;
    const line: ExaminationLine = await context.open();
    const io = context.ioOf(line, protocol);
    const { frames, health } = io;
    const password = io.secrets?.association_password;
    const settings = associationOf(io.settings, channelSettings.parse(io.settings.protocol), password);
    const events = { onReport: () => undefined, onLost: () => undefined };
    const client = new MmsClient({ clock, line, frames, health, settings, events });
    line.start({ onData: (chunk) => client.receive(chunk), onClosed: (cause) => client.lineEnded(cause) });
    const session = new Session(client, password !== undefined);
    const begin = clock.monotonicMs();
    try {
      session.negotiated = await client.associate(signal);
      session.ms = Math.round(clock.monotonicMs() - begin);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'CANCELLED' || error.code === 'INTERNAL') throw error;
      session.error = error;
    }
    return session;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
