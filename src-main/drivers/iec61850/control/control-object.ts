/** A control object of a device: where it is, what its control structures look like, and what stands before a command. */
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig } from '../../spi/index.ts';
import type { MmsClient } from '../association/mms-client.ts';
import { variableOf } from '../binding.ts';
import type { ChannelMemory } from '../channel-memory.ts';
import type { MmsResult, MmsType } from '../mms/types.ts';
import { accessErrorText } from '../mms/words.ts';
import { readQuality } from '../model/quality.ts';
import { acsiReference, itemOf, type Reference } from '../model/references.ts';
import { utcMs } from '../model/time.ts';
import { componentType, typeAt } from '../model/types.ts';
import { jsonScalar } from '../model/values.ts';
import { wordsAt } from '../model/words.ts';
import { referenceOf } from '../point-rules.ts';
import { readInHalves } from '../reads.ts';
import { typeOfAttribute } from '../writing.ts';
import { type ControlReading, UNKNOWN_STATE } from './control-words.ts';
import { type Pulse, pulseOf } from './pulse.ts';

export interface ControlDevice {
  readonly client: Pick<MmsClient, 'request'>;
  readonly memory: Pick<ChannelMemory, 'model'>;
}

/** Services of a control under CO; a reference may name one, and means its object. */
const SERVICES: ReadonlySet<string> = new Set(['Oper', 'SBOw', 'SBO', 'Cancel']);

/** Model of a control (IEC 61850-7-2, 20.1). */
export const CONTROL_MODELS = [
  'status-only',
  'direct-with-normal-security',
  'sbo-with-normal-security',
  'direct-with-enhanced-security',
  'sbo-with-enhanced-security',
] as const;

/** What says whether a command would be taken, looked at before it is sent; first below the object, then of its logical node. */
const OBJECT_STATES: readonly string[] = ['stVal', 'stSeld'];
const NODE_STATES: readonly string[] = ['Beh', 'Mod', 'Loc', 'LocSta', 'LocKey', 'Health', 'EEHealth', 'BlkOpn', 'BlkCls', 'CmdBlk'];

const OPERATE_MANY = 1;
/** Says whether the station or a remote centre has control; FALSE is the centre, and also what a device answers that was never told. */
const STATION_STATE = 'LocSta';

/** The data object that a control point commands. */
export function controlledObject(point: PointConfig): Reference {
  const reference = referenceOf(point);
  const at = reference.path.findIndex((name) => SERVICES.has(name));
  return { ...reference, constraint: 'CO', path: at < 0 ? reference.path : reference.path.slice(0, at) };
}

/** `LD/LN$CO$DO`, as LastApplError names it. */
export function objectKey({ domain, node, path }: Reference): string {
  return `${domain}/${itemOf({ node, constraint: 'CO', path })}`;
}

/** Types of the control structures: `Oper`, and `SBO` or `SBOw`, `Cancel` where the device has them. Throws as `typeOfAttribute`. */
export async function controlTypes(device: ControlDevice, object: Reference, signal: AbortSignal): Promise<MmsType> {
  return typeOfAttribute(device, { ...object, constraint: 'CO' }, signal);
}

/** What was read before a command. */
export interface ControlState {
  /** 0 to 4; null where the device does not tell it. */
  readonly model: number | null;
  /** Why `model` is null. */
  readonly modelProblem: Message | null;
  /** Milliseconds until a selection ends by itself (sboTimeout); 0: it does not; null: the device does not tell. */
  readonly selectMs: number | null;
  /** True where a selection stands for more than one command (sboClass operate-many); null: the device does not tell. */
  readonly isOperatedMany: boolean | null;
  /** The output is a pulse; null: it stays, or the device does not tell. */
  readonly pulse: Pulse | null;
  /** What the device tells of object and logical node. */
  readonly states: readonly ControlReading[];
}

/** A variable of the question, and the name by which its value is told. */
interface Asked {
  readonly name: string;
  readonly reference: Reference & { readonly constraint: string };
}

/** Reads control model, select time and states of a control object, in one Read where it fits. Nothing under CO is asked for. Rejects as `MmsClient.request`. */
export async function readControlState(device: ControlDevice, object: Reference, signal: AbortSignal): Promise<ControlState> {
  const { domain, node, path } = object;
  const configuration = ['ctlModel', 'sboTimeout', 'sboClass', 'pulseConfig'].map((name) => ({
    name,
    reference: { domain, node, constraint: 'CF', path: [...path, name] },
  }));
  // without a model the device is asked for what every control has
  const station = (member: string): Asked => ({ name: '', reference: { domain, node, constraint: 'ST', path: [STATION_STATE, member] } });
  const stationCompanions = [station('q'), station('t')].filter((each) => isKnown(device, each));
  const asked: Asked[] = [
    ...configuration.filter((each) => each.name === 'ctlModel' || isKnown(device, each)),
    ...knownStates(device, object),
    ...stationCompanions,
  ];
  const items = asked.map(({ reference }) => variableOf(reference.domain, reference.node, reference.constraint, reference.path));
  const results = await readInHalves(device.client, items, { signal });
  const resultOf = (name: string) => results[asked.findIndex((each) => each.name === name)];
  const isUntold = results.slice(asked.length - stationCompanions.length).some((result) => result !== undefined && saysNothing(result));
  const model = wholeOf(resultOf('ctlModel'));
  const isModel = model !== null && model >= 0 && model < CONTROL_MODELS.length;
  const selectMs = wholeOf(resultOf('sboTimeout'));
  const sboClass = wholeOf(resultOf('sboClass'));
  return {
    model: isModel ? model : null,
    modelProblem: isModel ? null : modelProblem(resultOf('ctlModel'), object),
    selectMs: selectMs === null || selectMs < 0 ? null : selectMs,
    isOperatedMany: sboClass === null ? null : sboClass === OPERATE_MANY,
    pulse: pulseOf(resultOf('pulseConfig'), learntType(device, configuration[3])),
    states: asked
      .flatMap((each, at) => (each.reference.constraint === 'ST' && each.name !== '' ? readingOf(device, each, results[at]) : []))
      .map((reading) => (reading.name === STATION_STATE && isUntold ? { ...reading, value: UNKNOWN_STATE } : reading)),
  };
}

/** A quality that is not valid, or a time that was never set. */
function saysNothing(result: MmsResult): boolean {
  if (result.kind === 'utc-time') return utcMs(result) === null;
  return result.kind === 'bit-string' && readQuality(result).quality === 'invalid';
}

function knownStates(device: ControlDevice, { domain, node, path }: Reference): Asked[] {
  const below = OBJECT_STATES.map((name) => ({ name, reference: { domain, node, constraint: 'ST', path: [...path, name] } }));
  const beside = NODE_STATES.map((name) => ({ name, reference: { domain, node, constraint: 'ST', path: [name, 'stVal'] } }));
  return [...below, ...beside].filter((each) => isKnown(device, each));
}

function isKnown(device: ControlDevice, asked: Asked): boolean {
  return learntType(device, asked) !== null;
}

/** Type of a variable by the learnt model; null where it has none. */
function learntType({ memory }: ControlDevice, asked: Asked | undefined): MmsType | null {
  if (!asked || !memory.model.device) return null;
  const { domain, node, constraint, path } = asked.reference;
  const known = memory.model.index.node(domain, node);
  const part = known && componentType(known.type, constraint);
  return part && typeAt(part, path);
}

function readingOf({ memory }: ControlDevice, { name, reference }: Asked, result: MmsResult | undefined): ControlReading[] {
  if (!result || result.kind === 'failure') return [];
  const { domain, node, constraint, path } = reference;
  const value = jsonScalar(result, wordsAt(memory.model.index, domain, node, constraint, path), path.at(-1));
  return value === null ? [] : [{ name, value }];
}

function wholeOf(result: MmsResult | undefined): number | null {
  return (result?.kind === 'integer' || result?.kind === 'unsigned') && typeof result.value === 'number' ? result.value : null;
}

function modelProblem(result: MmsResult | undefined, reference: Reference): Message {
  const object = acsiReference(reference);
  if (result?.kind === 'failure') return say('control.model_untold', { object, reason: accessErrorText(result.code) });
  const value = result ? jsonScalar(result) : null;
  return say('control.model_wrong', { object, value: value === null ? '-' : String(value) });
}
