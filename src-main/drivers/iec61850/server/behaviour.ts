/** Behaviour of logical nodes (IEC 61850-7-4, annex A): `Beh` follows the `Mod` of its node and of its logical device. */
import { utcTimeOctets } from '../mms/times.ts';
import { wholeAt } from './control/controlled-object.ts';
import type { ServedImage } from './image.ts';

const COMMON_NODE = 'LLN0';
/** Key of a mode: logical device and node. */
const MODE = /^([^/]+)\/([^$]+)\$ST\$Mod\$stVal$/;
const [ON, BLOCKED, TEST, TEST_BLOCKED, OFF] = [1, 2, 3, 4, 5];

/** Sets `Beh` of the nodes whose mode is among the keys of written leaves; answers the keys that were set. */
export function followModes(image: ServedImage, keys: readonly string[], wallMs: number): readonly string[] {
  return keys.flatMap((key) => {
    const [, domain = '', node] = MODE.exec(key) ?? [];
    if (node === undefined) return [];
    const nodes = node === COMMON_NODE ? (image.index.device(domain)?.nodes.map(({ name }) => name) ?? []) : [node];
    return nodes.flatMap((name) => setBehaviour(image, domain, name, wallMs));
  });
}

function setBehaviour(image: ServedImage, domain: string, node: string, wallMs: number): readonly string[] {
  const at = (name: string) => image.at(domain, [node, 'ST', 'Beh', name]);
  const [value, quality, time] = [at('stVal'), at('q'), at('t')];
  const behaviour = behaviourOf([modeOf(image, domain, node), modeOf(image, domain, COMMON_NODE)]);
  if (value?.type.kind !== 'integer' || wholeAt(image, domain, [node, 'ST', 'Beh', 'stVal']) === behaviour) return [];
  return [
    ...image.set(value, { kind: 'integer', value: behaviour }),
    ...(quality ? image.set(quality, { kind: 'bit-string', size: 13, octets: new Uint8Array(2) }) : []),
    ...(time ? image.set(time, { kind: 'utc-time', octets: utcTimeOctets(wallMs) }) : []),
  ];
}

/** A node without a mode of its own is on. */
function modeOf(image: ServedImage, domain: string, node: string): number {
  return wholeAt(image, domain, [node, 'ST', 'Mod', 'stVal']) ?? ON;
}

function behaviourOf(modes: readonly number[]): number {
  if (modes.includes(OFF)) return OFF;
  const isTest = modes.some((mode) => mode === TEST || mode === TEST_BLOCKED);
  const isBlocked = modes.some((mode) => mode === BLOCKED || mode === TEST_BLOCKED);
  if (isTest) return isBlocked ? TEST_BLOCKED : TEST;
  return isBlocked ? BLOCKED : ON;
}
