/** Explains DL/T 645 frames for the frame log, from the codecs that run. */
import { say } from '#shared/messages/index.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import { joined, leaf, NOTHING_TO_EXPLAIN, numbered } from '../../kit/explain/nodes.ts';
import type { ExplainContext, ExplainedNode, Explanation, FrameText, SecretRange } from '../../spi/index.ts';
import { decodeAddress } from '../codec/address.ts';
import { carriesSecret, FROM_METER, functionNames, functionOf, MORE, REFUSED } from '../codec/control.ts';
import { checkFrame, type Dlt645Frame, PREAMBLE, START } from '../codec/frame.ts';
import { type DataExplanation, explainData } from './explain-data.ts';

/** Explains one frame, or octets that are none. Never throws; the nodes of a frame cover every octet. */
export function explainDlt645(bytes: Uint8Array, { isSummaryOnly }: ExplainContext): Explanation {
  if (bytes.length === 0) return NOTHING_TO_EXPLAIN;
  let at = 0;
  while (bytes[at] === PREAMBLE) at += 1;
  const check = checkFrame(bytes, at);
  if (check.kind !== 'frame') return noFrame(bytes, check.kind === 'none' ? check.why : 'short');
  const { frame, end } = check;
  const data = explainData(frame, at + 10);
  return { summary: summaryOf(frame, data), nodes: isSummaryOnly ? [] : nodesOf(bytes, at, end, frame, data), secrets: data.secrets };
}

function summaryOf(frame: Dlt645Frame, data: DataExplanation): FrameText {
  const code = functionOf(frame.control);
  const said = {
    meter: decodeAddress(frame.address),
    function: functionNames(code) ?? say('dlt645frame.function', { code: code.toString(16).toUpperCase() }),
  };
  return data.summary === '' ? say('dlt645frame.summary', said) : say('dlt645frame.summary_data', { ...said, data: data.summary });
}

/** Nodes of a frame whose first 68 stands at `at`. */
function nodesOf(bytes: Uint8Array, at: number, end: number, frame: Dlt645Frame, data: DataExplanation): readonly ExplainedNode[] {
  const nodes: ExplainedNode[] = [];
  if (at > 0) nodes.push(leaf(say('dlt645frame.preamble'), `${at} × FE`, 0, at));
  nodes.push(
    leaf(say('dlt645frame.start'), '68', at, at + 1),
    leaf(say('frame.address'), addressText(decodeAddress(frame.address)), at + 1, at + 7),
    leaf(say('dlt645frame.start'), '68', at + 7, at + 8),
    leaf(say('dlt645frame.control'), controlText(frame.control), at + 8, at + 9, (frame.control & REFUSED) === 0 ? 'info' : 'warning'),
    leaf(say('frame.length'), say('dlt645frame.data_octets', { count: frame.data.length }), at + 9, at + 10),
  );
  if (frame.data.length > 0) {
    nodes.push({ ...leaf(say('frame.data'), say('dlt645frame.with_33'), at + 10, end - 2), children: data.nodes });
  }
  nodes.push(
    leaf(say('dlt645frame.checksum'), hexText(bytes.subarray(end - 2, end - 1)), end - 2, end - 1),
    leaf(say('dlt645frame.end'), '16', end - 1, end),
  );
  if (end < bytes.length) nodes.push(leaf(say('frame.surplus'), hexText(bytes.subarray(end)), end, bytes.length, 'error'));
  return nodes;
}

function addressText(address: string): FrameText {
  if (address === '999999999999') return numbered(address, say('dlt645frame.every_meter'));
  return address.startsWith('AA') ? numbered(address, say('dlt645frame.any_digits')) : address;
}

function controlText(control: number): FrameText {
  return joined([
    control.toString(16).toUpperCase().padStart(2, '0'),
    functionNames(functionOf(control)) ?? say('dlt645frame.function_unknown'),
    say((control & FROM_METER) === 0 ? 'frame.request' : 'frame.answer'),
    (control & REFUSED) === 0 ? '' : say('dlt645frame.refused'),
    (control & MORE) === 0 ? '' : say('dlt645frame.more'),
  ]);
}

const WHY = {
  start: say('dlt645frame.no_start'),
  length: say('dlt645frame.too_long'),
  end: say('dlt645frame.no_end'),
  checksum: say('dlt645frame.wrong_checksum'),
  short: say('dlt645frame.short'),
} as const;

/** Of octets with a wrong checksum the data may still hold a password, so they count as secret where one would stand. */
function noFrame(bytes: Uint8Array, why: keyof typeof WHY): Explanation {
  const summary = say('frame.none_why', { count: bytes.length, why: WHY[why] });
  const nodes = [leaf(say('dlt645frame.no_frame'), WHY[why], 0, bytes.length, 'error')];
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
