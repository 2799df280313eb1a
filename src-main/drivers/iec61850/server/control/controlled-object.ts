/** Control objects of the simulated device: where they lie, by what model they are commanded, and which logical nodes belong to a switch. */
import type { MmsValue } from '../../mms/types.ts';
import { readQuality } from '../../model/quality.ts';
import type { ServedImage, Variable } from '../image.ts';

/** A data object that clients command. */
export interface ControlledObject {
  /** `LD/LN$CO$DO`, as SBO answers it and as LastApplError begins. */
  readonly key: string;
  readonly domain: string;
  readonly node: string;
  /** Data object and sub data objects. */
  readonly path: readonly string[];
}

const SERVICES = ['SBO', 'SBOw', 'Oper', 'Cancel'] as const;
/** What a client names under CO to command an object (IEC 61850-8-1, 20). */
export type ControlService = (typeof SERVICES)[number];

/** The object and the service that a variable under CO names; null for the object itself, for a part of a service, and elsewhere. */
export function controlAt({
  domain,
  node: { name: node },
  path: [constraint, ...path],
}: Variable): { readonly object: ControlledObject; readonly service: ControlService } | null {
  const service = SERVICES.find((name) => name === path.at(-1));
  if (constraint !== 'CO' || path.length < 2 || !service) return null;
  return { object: controlledObject(domain, node, path.slice(0, -1)), service };
}

/** The control object of a data object. */
export function controlledObject(domain: string, node: string, path: readonly string[]): ControlledObject {
  return { key: `${domain}/${[node, 'CO', ...path].join('$')}`, domain, node, path };
}

/** Control model of an object, 0 to 4; 0 (status only) where it has none or another value. */
export function servedModel(image: ServedImage, { domain, node, path }: ControlledObject): number {
  const model = wholeAt(image, domain, [node, 'CF', ...path, 'ctlModel']);
  return model !== null && model >= 0 && model <= 4 ? model : 0;
}

/** Milliseconds after which a selection ends (sboTimeout); 0: it does not; null where the object has no such attribute. */
export function servedSelectMs(image: ServedImage, { domain, node, path }: ControlledObject): number | null {
  const ms = wholeAt(image, domain, [node, 'CF', ...path, 'sboTimeout']);
  return ms === null ? null : Math.max(0, ms);
}

const OPERATE_MANY = 1;

/** True where a selection stands for more than one command (sboClass operate-many). */
export function isOperatedMany(image: ServedImage, { domain, node, path }: ControlledObject): boolean {
  return wholeAt(image, domain, [node, 'CF', ...path, 'sboClass']) === OPERATE_MANY;
}

/** Pulses of an output, milliseconds each. */
export interface Pulses {
  readonly onMs: number;
  readonly offMs: number;
  readonly count: number;
}

/** `cmdQual` of an output that is pulsed; others stay as they are set. */
const PULSE = 0;

/** Bounds of pulses, whatever is configured: an object is free for other commands behind the last. */
const MOST_PULSES = 1000;
const MOST_PULSE_MS = 60_000;

/** The pulses of an object (pulseConfig, IEC 61850-7-3, 6.9); null where its output stays, or where nobody has set how long a pulse is. */
export function servedPulses(image: ServedImage, { domain, node, path }: ControlledObject): Pulses | null {
  const told = (name: string) => wholeAt(image, domain, [node, 'CF', ...path, 'pulseConfig', name]);
  const onMs = told('onDur') ?? 0;
  if (told('cmdQual') !== PULSE || onMs <= 0) return null;
  return {
    onMs: Math.min(onMs, MOST_PULSE_MS),
    offMs: Math.min(Math.max(0, told('offDur') ?? 0), MOST_PULSE_MS),
    count: Math.min(Math.max(1, told('numPls') ?? 1), MOST_PULSES),
  };
}

/** An integer; null where there is none. */
export function wholeAt(image: ServedImage, domain: string, path: readonly string[]): number | null {
  const variable = image.at(domain, path);
  const value = variable && image.value(variable);
  return value?.kind === 'integer' || value?.kind === 'unsigned' ? Number(value.value) : null;
}

/** `stVal` of an object beside the commanded one (`Loc`, `BlkOpn`) as yes or no; null where the node has no such. */
export function stateAt(image: ServedImage, domain: string, node: string, name: string): boolean | null {
  const variable = image.at(domain, [node, 'ST', name, 'stVal']);
  return variable && truth(image.value(variable));
}

/** As `stateAt`; null also for a state that nobody has set, and for one whose quality says that it is not valid. */
export function toldStateAt(image: ServedImage, domain: string, node: string, name: string): boolean | null {
  const variable = image.at(domain, [node, 'ST', name, 'stVal']);
  const quality = image.at(domain, [node, 'ST', name, 'q']);
  const isInvalid = quality !== null && readQuality(image.value(quality)).quality === 'invalid';
  return variable && image.isSet(variable) && !isInvalid ? truth(image.value(variable)) : null;
}

/** A BOOLEAN, or a double point that is on; null for other values. */
export function truth(value: MmsValue): boolean | null {
  if (value.kind === 'boolean') return value.value;
  return value.kind === 'bit-string' && value.size === 2 ? (value.octets[0] ?? 0) >> 6 === DOUBLE_ON : null;
}

/** Bits of a double point that is on. */
const DOUBLE_ON = 2;
/** Prefix, class and instance of the nodes that stand around one switch. */
const SWITCH_NODE = /^(.*?)(CSWI|XCBR|XSWI|CILO|RSYN)(\d*)$/;

/**
 * The node of a class that belongs to the same switch by prefix and instance (`Q1CSWI1` and `Q1XCBR1`); null where there is none. A controller that has
 * both a breaker and a disconnector of its instance is that of the breaker.
 */
export function nodeBeside(image: ServedImage, { domain, node }: ControlledObject, className: 'CSWI' | 'XCBR' | 'XSWI' | 'CILO' | 'RSYN') {
  const [, prefix, own, instance] = SWITCH_NODE.exec(node) ?? [];
  if (own === undefined || own === className) return null;
  const named = (name: string) => (image.at(domain, [`${prefix}${name}${instance}`]) ? `${prefix}${name}${instance}` : null);
  return (own === 'XSWI' || className === 'XSWI') && named('XCBR') !== null ? null : named(className);
}

/** The breaker or disconnector that a controller (CSWI) stands before; null for other nodes, and where the model has none. */
export function switchBehind(image: ServedImage, object: ControlledObject): string | null {
  if (!/CSWI\d*$/.test(object.node)) return null;
  return nodeBeside(image, object, 'XCBR') ?? nodeBeside(image, object, 'XSWI');
}
