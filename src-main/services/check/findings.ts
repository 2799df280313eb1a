import type { CheckFinding, CheckReference, CheckSeen, Expectation } from '#shared/contract/check.ts';
import { findDecode } from '#shared/domain/decode.ts';
import { numberText } from '#shared/domain/number-text.ts';
import { describeRegisters } from '#shared/domain/registers.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { settingsThatFit } from '../point-readings.ts';
import type { CheckedPoint } from './elsewhere/checked-channel.ts';
import { type Sight, toleranceOf } from './sight.ts';

/** Powers of ten by which a factor is wrong in practice. */
const POWERS = [1, -1, 2, -2, 3, -3];

/** A finding with its sentence. */
export function finding(name: CheckFinding['name'], said: Message): CheckFinding {
  return { name, said, text: english(said) };
}

/** What is wrong where a watch saw a failure. */
export async function findingsOf(found: CheckedPoint, expectation: Expectation, sight: Sight): Promise<CheckFinding[]> {
  const last = sight.seen.at(-1);
  if (sight.why === 'none' || !last) return [];
  if (sight.why === 'chatter') return [finding('chatter', say('check.found_chatter', { changes: sight.changes }))];
  if (sight.why === 'quality') return [finding('bad_quality', say('check.found_bad_quality', { quality: qualityOf(last) }))];
  const wanted = openReferences(expectation, sight.seen);
  for (const reference of wanted) {
    const fitting = await misreadings(found, reference, last);
    if (fitting.length > 0) return fitting;
  }
  return [finding('wrong_value', say('check.found_wrong_value', { value: shown(last), wanted: wantedText(expectation, wanted, last) }))];
}

/** Settings of the point under which the octets of a value are one of the references that it does not fit; none for one that it fits. */
export async function readOtherwise(found: CheckedPoint, expectation: Expectation, last: CheckSeen): Promise<CheckFinding[]> {
  const open = openReferences(expectation, [last]);
  // a value that fits any of them is read rightly
  if (expectation.kind !== 'values' || open.length < expectation.references.length) return [];
  for (const reference of open) {
    const findings = await misread(found, reference, last);
    if (findings.some(({ name }) => name === 'byte_order' || name === 'decode')) return findings;
  }
  return [];
}

/** What would make the value the expected one. A zero proves nothing. */
async function misreadings(found: CheckedPoint, reference: CheckReference, last: CheckSeen): Promise<CheckFinding[]> {
  const { value } = last;
  const tolerance = toleranceOf(reference);
  if (value === null || value === 0 || Math.abs(reference.value) <= tolerance) return [];
  const params = { value: shown(last), wanted: withUnit(reference.value, last.unit) };
  const fits = (other: number) => Math.abs(other - reference.value) <= tolerance;
  if (fits(-value)) return [finding('sign', say('check.found_sign', params))];
  const power = POWERS.find((each) => fits(value * 10 ** each) || fits(-value * 10 ** each));
  if (power !== undefined) {
    const factor = finding('factor', say('check.found_factor', { ...params, factor: Number((10 ** power).toPrecision(12)) }));
    return fits(value * 10 ** power) ? [factor] : [factor, finding('sign', say('check.found_sign', params))];
  }
  return misread(found, reference, last);
}

async function misread(found: CheckedPoint, reference: CheckReference, last: CheckSeen): Promise<CheckFinding[]> {
  const params = { value: shown(last), wanted: withUnit(reference.value, last.unit) };
  const [fit] = await settingsThatFit(found, reference.value, toleranceOf(reference));
  if (!fit) return [];
  const { address, decode, protocol } = fit.changes;
  const findings: CheckFinding[] = [];
  if (address !== undefined) findings.push(finding('address', say('check.found_address', { ...params, address })));
  if (protocol !== undefined) {
    const registers = describeRegisters({ decode: decode ?? found.point.decode, protocol });
    findings.push(finding('decode', say('check.found_decode', { ...params, decode: registers })));
  } else if (decode !== undefined) findings.push(decodedOtherwise(found, decode, params));
  return findings;
}

function decodedOtherwise(
  { point }: CheckedPoint,
  decode: string,
  params: { readonly value: string; readonly wanted: string },
): CheckFinding {
  const [now, other] = [findDecode(point.decode), findDecode(decode)];
  if (other && now?.type === other.type) return finding('byte_order', say('check.found_byte_order', { ...params, letters: other.order }));
  return finding('decode', say('check.found_decode', { ...params, decode }));
}

/** References that none of the values that were seen fits. */
function openReferences(expectation: Expectation, seen: readonly CheckSeen[]): readonly CheckReference[] {
  if (expectation.kind !== 'values') return [];
  return expectation.references.filter(
    (reference) => !seen.some(({ value }) => value !== null && Math.abs(value - reference.value) <= toleranceOf(reference)),
  );
}

function wantedText(expectation: Expectation, references: readonly CheckReference[], { unit }: CheckSeen): string {
  switch (expectation.kind) {
    case 'values':
      return references.map(({ value }) => withUnit(value, unit)).join(' / ');
    case 'states':
      return expectation.states.join(' / ');
    case 'text':
      return expectation.text;
    case 'pulse':
      return `+${expectation.count}`;
    case 'command':
    case 'setpoint':
      return '';
  }
}

function shown({ value, value_text, unit }: CheckSeen): string {
  if (value_text !== '') return value_text;
  return value === null ? '–' : withUnit(value, unit);
}

/** A value with its unit. */
export function withUnit(value: number, unit: string): string {
  const text = numberText(value);
  return unit === '' ? text : `${text} ${unit}`;
}

/** Quality and its letters, as they stand in a record. */
export function qualityOf({ quality, flags }: CheckSeen): string {
  return [quality, ...flags].join(' ');
}
