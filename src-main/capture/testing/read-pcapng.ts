/** A reader of pcapng of either order of octets, written from the draft alone: what it finds wrong it throws. */

export interface ReadOption {
  readonly code: number;
  readonly value: Uint8Array;
}

export interface ReadPacket {
  readonly link: number;
  readonly timeUs: number;
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly comments: readonly string[];
  readonly direction: 'in' | 'out' | null;
  readonly dropped: number;
}

export interface ReadCapture {
  readonly application: string;
  readonly comment: string;
  readonly links: readonly { readonly type: number; readonly name: string }[];
  readonly packets: readonly ReadPacket[];
  /** How many packets each interface says it had, in the order of the file. */
  readonly counts: readonly { readonly link: number; readonly timeUs: number; readonly count: number }[];
}

interface ReadBlock {
  readonly type: number;
  readonly body: DataView;
}

/** Reads a capture of one section whole. */
export function readPcapng(file: Uint8Array): ReadCapture {
  const isLittle = new DataView(file.buffer, file.byteOffset).getUint32(8, true) === 0x1a2b3c4d;
  const [head, ...blocks] = [...blocksOf(file, isLittle)];
  if (head?.type !== 0x0a0d0d0a) throw new Error('no section header');
  const about = optionsOf(head.body, 16, isLittle);
  const links: { type: number; name: string }[] = [];
  const packets: ReadPacket[] = [];
  const counts: ReadCapture['counts'][number][] = [];
  for (const { type, body } of blocks) {
    if (type === 1) {
      const options = optionsOf(body, 8, isLittle);
      if (options.find(({ code }) => code === 9)?.value[0] !== 6) throw new Error('times are no microseconds');
      links.push({ type: body.getUint16(0, isLittle), name: textOf(options, 2) });
    } else if (type === 6) packets.push(packetOf(body, isLittle));
    else if (type === 5) counts.push(countOf(body, isLittle));
    else throw new Error(`a block of type ${type}`);
  }
  return { application: textOf(about, 4), comment: textOf(about, 1), links, packets, counts };
}

function* blocksOf(file: Uint8Array, isLittle: boolean): Generator<ReadBlock> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = 0; at < file.length; ) {
    const length = view.getUint32(at + 4, isLittle);
    if (length % 4 !== 0 || length < 12 || at + length > file.length) throw new Error(`a block of ${length} octets at ${at}`);
    if (view.getUint32(at + length - 4, isLittle) !== length) throw new Error(`the lengths of the block at ${at} differ`);
    yield { type: view.getUint32(at, isLittle), body: new DataView(file.buffer, file.byteOffset + at + 8, length - 12) };
    at += length;
  }
}

function optionsOf(body: DataView, from: number, isLittle: boolean): ReadOption[] {
  const options: ReadOption[] = [];
  for (let at = from; at < body.byteLength; ) {
    const code = body.getUint16(at, isLittle);
    const length = body.getUint16(at + 2, isLittle);
    if (code === 0) {
      if (length !== 0 || at + 4 !== body.byteLength) throw new Error('options go on behind their end');
      return options;
    }
    options.push({ code, value: new Uint8Array(body.buffer, body.byteOffset + at + 4, length).slice() });
    at += 4 + ((length + 3) & ~3);
  }
  if (options.length > 0) throw new Error('options without an end');
  return options;
}

function countOf(body: DataView, isLittle: boolean): ReadCapture['counts'][number] {
  const received = optionsOf(body, 12, isLittle).find(({ code }) => code === 4)?.value;
  if (received?.length !== 8) throw new Error('statistics without a count');
  return {
    link: body.getUint32(0, isLittle),
    timeUs: body.getUint32(4, isLittle) * 2 ** 32 + body.getUint32(8, isLittle),
    count: Number(new DataView(received.buffer).getBigUint64(0, isLittle)),
  };
}

function packetOf(body: DataView, isLittle: boolean): ReadPacket {
  const captured = body.getUint32(12, isLittle);
  const options = optionsOf(body, 20 + ((captured + 3) & ~3), isLittle);
  const flags = options.find(({ code }) => code === 2)?.value;
  const dropped = options.find(({ code }) => code === 4)?.value;
  return {
    link: body.getUint32(0, isLittle),
    timeUs: body.getUint32(4, isLittle) * 2 ** 32 + body.getUint32(8, isLittle),
    bytes: new Uint8Array(body.buffer, body.byteOffset + 20, captured).slice(),
    length: body.getUint32(16, isLittle),
    comments: options.filter(({ code }) => code === 1).map(({ value }) => new TextDecoder('utf-8', { fatal: true }).decode(value)),
    direction: flags ? ((['in', 'out'] as const)[((flags[0] ?? 0) & 3) - 1] ?? null) : null,
    dropped: dropped ? Number(new DataView(dropped.buffer).getBigUint64(0, isLittle)) : 0,
  };
}

function textOf(options: readonly ReadOption[], code: number): string {
  return new TextDecoder().decode(options.find((option) => option.code === code)?.value);
}
