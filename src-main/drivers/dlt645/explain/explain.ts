/** Explains DL/T 645 frames for the frame log, from the codecs that run. */
import type { ExplainNode } from '#shared/contract/frames.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { ExplainContext, Explanation, SecretRange } from '../../spi/index.ts';
import { decodeAddress } from '../codec/address.ts';
import { carriesSecret, FROM_METER, functionName, functionOf, MORE, REFUSED } from '../codec/control.ts';
import { checkFrame, PREAMBLE, START } from '../codec/frame.ts';
import { explainData } from './explain-data.ts';

/** Explains one frame, or octets that are none. Never throws; the nodes of a frame cover every octet. */
export function explainDlt645(bytes: Uint8Array, _context: ExplainContext): Explanation {
  if (bytes.length === 0) return { summary: '', nodes: [], secrets: [] };
  let at = 0;
  while (bytes[at] === PREAMBLE) at += 1;
  const check = checkFrame(bytes, at);
  if (check.kind !== 'frame') return noFrame(bytes, check.kind === 'none' ? check.why : 'short');
  const { frame, end } = check;
  const data = explainData(frame, at + 10);
  const address = decodeAddress(frame.address);
  const nodes: ExplainNode[] = [];
  if (at > 0) nodes.push(node('preamble', `${at} × FE`, 0, at));
  nodes.push(
    node('start', '68', at, at + 1),
    node('address', addressText(address), at + 1, at + 7),
    node('start', '68', at + 7, at + 8),
    node('control', controlText(frame.control), at + 8, at + 9, (frame.control & REFUSED) === 0 ? 'info' : 'warning'),
    node('length', `${frame.data.length} data octets`, at + 9, at + 10),
  );
  if (frame.data.length > 0) nodes.push({ ...node('data', 'each octet sent with 33 added', at + 10, end - 2), children: data.nodes });
  nodes.push(node('checksum', hexText(bytes.subarray(end - 2, end - 1)), end - 2, end - 1), node('end', '16', end - 1, end));
  if (end < bytes.length) nodes.push(node('surplus octets', hexText(bytes.subarray(end)), end, bytes.length, 'error'));
  const name = functionName(functionOf(frame.control)) ?? `function ${functionOf(frame.control).toString(16).toUpperCase()}`;
  const summary = `meter ${address}, ${name}${data.summary ? `: ${data.summary}` : ''}`;
  return { summary, nodes, secrets: data.secrets };
}

function node(name: string, value: string, start: number, end: number, severity: ExplainNode['severity'] = 'info'): ExplainNode {
  return { name, value, start, end, severity, children: [] };
}

function addressText(address: string): string {
  if (address === '999999999999') return `${address} (every meter)`;
  return address.startsWith('AA') ? `${address} (AA means any digits)` : address;
}

function controlText(control: number): string {
  const name = functionName(functionOf(control)) ?? 'unknown function';
  const words = [(control & FROM_METER) === 0 ? 'request' : 'answer'];
  if ((control & REFUSED) !== 0) words.push('refused');
  if ((control & MORE) !== 0) words.push('more frames follow');
  return `${control.toString(16).toUpperCase().padStart(2, '0')}, ${name}, ${words.join(', ')}`;
}

const WHY: Readonly<Record<'start' | 'length' | 'end' | 'checksum' | 'short', string>> = {
  start: 'no second 68 seven octets behind the first',
  length: 'more than 200 data octets',
  end: 'the end octet 16 is missing',
  checksum: 'the checksum is wrong',
  short: 'unfinished',
};

/** Of octets with a wrong checksum the data may still hold a password, so they count as secret where one would stand. */
function noFrame(bytes: Uint8Array, why: keyof typeof WHY): Explanation {
  const summary = `${bytes.length} octets that are no frame: ${WHY[why]}`;
  const nodes = [node('no frame', WHY[why], 0, bytes.length, 'error')];
  return { summary, nodes, secrets: secretsInBroken(bytes) };
}

/** Functions that read, and identifiers of passwords as they travel: 04000C.. and C212. */
const READS: readonly number[] = [0x01, 0x02, 0x11, 0x12];

/** Everything behind the head of such a frame, also where the beginning of the frame is lost: adapters cut it off when they echo. */
function secretsInBroken(bytes: Uint8Array): SecretRange[] {
  for (let at = 0; at + 2 < bytes.length; at++) {
    if (bytes[at] !== START) continue;
    const control = bytes[at + 1] ?? 0;
    // frames that refuse, or have a follow-up, carry none
    if ((control & (REFUSED | MORE)) !== 0 && !READS.includes(functionOf(control))) continue;
    const functionCode = functionOf(control);
    const isPassword = carriesSecret(functionCode) || (READS.includes(functionCode) && isPasswordAt(bytes, at + 3));
    if (isPassword) return [{ start: at + 3, end: bytes.length }];
  }
  return [];
}

function isPasswordAt(bytes: Uint8Array, at: number): boolean {
  const is = (...wire: readonly number[]) => wire.every((octet, index) => bytes[at + index] === octet);
  return is(0x45, 0xf5) || (bytes[at + 1] === 0x3f && bytes[at + 2] === 0x33 && bytes[at + 3] === 0x37);
}
