import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

interface Entry {
  readonly name: string;
  readonly data: Buffer;
  /** What the directory says of the unpacked size, where that is not the truth. */
  readonly claims?: number;
  /** True for one that is not packed. */
  readonly isStored?: boolean;
  /** True for one whose sizes follow it, as programs write that do not know them before. */
  readonly isStreamed?: boolean;
}

/** A zip archive made by hand, also one that lies. */
export function makeZip(entries: readonly Entry[]): Uint8Array {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, claims = data.length, isStored = false, isStreamed = false } of entries) {
    const packed = isStored ? data : deflateRawSync(data, { level: 9 });
    const file = Buffer.from(name);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(isStreamed ? 8 : 0, 6);
    head.writeUInt16LE(isStored ? 0 : 8, 8);
    head.writeUInt32LE(crc32(data), 14);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(claims, 22);
    head.writeUInt16LE(file.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 4);
    entry.writeUInt16LE(20, 6);
    head.copy(entry, 10, 8, 28);
    entry.writeUInt16LE(file.length, 28);
    entry.writeUInt32LE(offset, 42);
    const tail = Buffer.alloc(isStreamed ? 16 : 0);
    if (isStreamed) {
      tail.writeUInt32LE(0x08074b50, 0);
      head.copy(tail, 4, 14, 26);
      head.fill(0, 14, 26);
    }
    locals.push(head, file, packed, tail);
    directory.push(entry, file);
    offset += head.length + file.length + packed.length + tail.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...locals, list, end]));
}

/** The parts of an archive as text, read without the library that wrote it. */
export function unzip(bytes: Uint8Array): ReadonlyMap<string, string> {
  const data = Buffer.from(bytes);
  const end = data.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  const parts = new Map<string, string>();
  let place = data.readUInt32LE(end + 16);
  for (let count = data.readUInt16LE(end + 10); count > 0; count--) {
    const [method, packed, nameLength] = [data.readUInt16LE(place + 10), data.readUInt32LE(place + 20), data.readUInt16LE(place + 28)];
    const local = data.readUInt32LE(place + 42);
    const from = local + 30 + data.readUInt16LE(local + 26) + data.readUInt16LE(local + 28);
    const body = data.subarray(from, from + packed);
    parts.set(data.toString('utf8', place + 46, place + 46 + nameLength), (method === 8 ? inflateRawSync(body) : body).toString('utf8'));
    place += 46 + nameLength + data.readUInt16LE(place + 30) + data.readUInt16LE(place + 32);
  }
  return parts;
}
