/** A protocol as small as they come: six octets each way, `unit, 0 read or 1 write, address, value`; 0x80 in the second says no. */

import { z } from 'zod';
import { ProtocolType } from '#shared/domain/enums.ts';
import { quoted } from '#shared/messages/index.ts';
import type { AcceptedPeer } from '../../transport/types.ts';
import type { Answer, Asked } from '../kit/asking.ts';
import { askingConnection, frameCutter, type SmallProtocol } from '../kit/asking-connection.ts';
import { ServedConnection, type ServedPeer, type ServedValue } from '../kit/served-connection.ts';
import type { FrameSink, PointConfig, PointValue, ProtocolDriver, ServerIo } from '../spi/index.ts';

const [LENGTH, REFUSED] = [6, 0x80];
const FIELDS = ['code', 'name', 'slave_id', 'address'];
const word = (octets: Uint8Array, at: number) => ((octets[at] ?? 0) << 8) | (octets[at + 1] ?? 0);
const frameOf = (unit: number, operation: number, address: number, value: number) =>
  Uint8Array.of(unit, operation, address >> 8, address & 0xff, value >> 8, value & 0xff);
const fits = (a: Uint8Array, b: Uint8Array) => a[0] === b[0] && a[1] === ((b[1] ?? 0) & ~REFUSED) && word(a, 2) === word(b, 2);
const keyOf = ({ slave_id, address }: Pick<PointConfig, 'slave_id' | 'address'>) => `${slave_id} ${address}`;
const SURE = { kind: 'value', valueText: '', quality: 'good', flags: [], sourceTime: null } as const;
const reading = ({ id }: PointConfig, raw: Uint8Array): PointValue => ({ ...SURE, pointId: id, value: word(raw, 0), raw });

const toyProtocol: SmallProtocol<Asked & Answer> = {
  times: { octetMs: 0, gapMs: 0, settleMs: 0, brokenMs: 100 },
  longest: LENGTH,
  lengthOf: (octets) => (octets.length < LENGTH ? null : LENGTH),
  requestOf: ({ slave_id, address }, value) => ({ bytes: frameOf(slave_id, value === null ? 0 : 1, address, value ?? 0) }),
  encode: ({ bytes }) => bytes,
  facts: ({ bytes }) => ({ slaveId: bytes[0] ?? 0, functionCode: bytes[1] ?? 0 }),
  isRepeatable: ({ bytes }) => bytes[1] === 0,
  fits: (asked, answer) => fits(asked.bytes, answer),
  isAlike: (a, b) => fits(a.bytes, b.bytes),
  refusalOf: (answer) => ((answer[1] ?? 0) & REFUSED ? { kind: 'no', detail: quoted('The device says no.') } : null),
  readingOf: (point, answer) => reading(point, answer.slice(4)),
};

class ToyServer extends ServedConnection {
  readonly #values = new Map<string, number>();
  #points: readonly PointConfig[] = [];
  constructor(io: ServerIo) {
    super(io);
    this.pointsChanged(io.points);
    this.listen();
  }

  pointsChanged(points: readonly PointConfig[]): void {
    this.#points = points;
    for (const point of points) this.#values.set(keyOf(point), this.#values.get(keyOf(point)) ?? 0);
  }

  protected override readPoint(pointId: number) {
    const point = this.#points.find(({ id }) => id === pointId);
    return point && reading(point, this.#answer(frameOf(point.slave_id, 0, point.address, 0)).slice(4));
  }

  protected override setPoint({ point, value }: ServedValue) {
    this.#values.set(keyOf(point), value);
    return [this.readPoint(point.id)].filter((each) => each !== undefined);
  }

  protected override makePeer(peer: AcceptedPeer, frames: FrameSink): ServedPeer {
    const cutter = frameCutter(toyProtocol);
    const onData = (chunk: Uint8Array) => {
      for (const { bytes } of cutter.push(chunk)) {
        const answer = this.#answer(bytes);
        frames.record({ kind: 'tx', bytes: answer, link: frames.record({ kind: 'rx', bytes }) });
        peer.write(answer).catch(() => {});
      }
    };
    return { start: (onClosed) => peer.start({ onData, onClosed }), close: () => undefined };
  }

  #answer(asked: Uint8Array): Uint8Array {
    const [unit = 0, operation = 0] = asked;
    const [address, value] = [word(asked, 2), this.#values.get(keyOf({ slave_id: unit, address: word(asked, 2) }))];
    if (value !== undefined && operation === 1) this.#values.set(keyOf({ slave_id: unit, address }), word(asked, 4));
    return value === undefined ? frameOf(unit, operation | REFUSED, address, 0) : frameOf(unit, operation, address, value);
  }
}

/** Registered in place of Modbus TCP: the contract has no number for a toy. */
export const toyDriver: ProtocolDriver = {
  descriptor: {
    protocolType: ProtocolType.modbusTcp,
    key: 'toy',
    modes: ['batch', 'single'],
    commandSteps: ['operate'],
    channelFields: ['timeout_ms', 'retries'],
    channelSettings: z.object({}),
    pointFields: { 0: FIELDS, 1: FIELDS, 2: FIELDS, 3: FIELDS },
    pointSettings: z.object({}),
  },
  normalizePoint: ({ name, address = 0, slave_id = 1, ...draft }) => ({
    point: { ...draft, name: name ?? draft.code, address, slave_id, func_code: null, decode: '' },
    issues: [],
  }),
  isReadable: () => true,
  connect: async (io) => askingConnection(io, toyProtocol),
  serve: (io) => new ToyServer(io),
  explain: (bytes) => ({ summary: `unit ${bytes[0]}`, nodes: [], secrets: [] }),
};
