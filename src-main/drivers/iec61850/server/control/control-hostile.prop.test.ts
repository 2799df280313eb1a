import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { MmsValue } from '../../mms/types.ts';
import { point } from '../testing/asking.ts';
import { boolean, Controller } from '../testing/controlling.ts';
import { ServedChannel } from '../testing/served-channel.ts';

const { yk, yt } = FrameType;
const KEY = 'LD/GGIO1$CO$SPCSO4';
const SELECT_S = 30;

const channel = () =>
  new ServedChannel({
    points: [
      ...[1, 2, 3, 4].map((model) => point(model, yk, `LD/GGIO1.SPCSO${model}[CO]`, { protocol: { control_model: model } })),
      point(9, yt, 'LD/GGIO1.AnOut1[CO]'),
    ],
  });

const octets = fc.uint8Array({ maxLength: 80 }).map((found) => ({ kind: 'octet-string', octets: found }) as const);
const leaf: fc.Arbitrary<MmsValue> = fc.oneof(
  fc.boolean().map(boolean),
  fc.integer({ min: -300, max: 300 }).map((value) => ({ kind: 'integer', value }) as const),
  fc.nat(300).map((value) => ({ kind: 'unsigned', value }) as const),
  fc.double().map((value) => ({ kind: 'float', value: Math.fround(value), width: 32 }) as const),
  fc.uint8Array({ minLength: 1, maxLength: 1 }).map((found) => ({ kind: 'bit-string', size: 2, octets: found }) as const),
  fc.uint8Array({ minLength: 8, maxLength: 8 }).map((found) => ({ kind: 'utc-time', octets: found }) as const),
  octets,
  fc.string({ maxLength: 5 }).map(() => ({ kind: 'visible-string', text: 'x' }) as const),
);
const { structure } = fc.letrec<{ structure: MmsValue; any: MmsValue }>((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, leaf, tie('structure')),
  structure: fc.array(tie('any'), { maxLength: 8 }).map((items) => ({ kind: 'structure', items }) as const),
}));

/** A structure as the type has it, with one member left out, doubled, or another. */
const nearly = (client: Controller) =>
  fc.tuple(fc.nat(6), fc.constantFrom('left out', 'twice', 'other'), leaf).map(([at, how, other]): MmsValue => {
    const { value, category, identifier, number } = client.fields(boolean(true));
    const items: MmsValue[] = [
      value,
      {
        kind: 'structure',
        items: [
          { kind: 'integer', value: category },
          { kind: 'octet-string', octets: identifier },
        ],
      },
      { kind: 'unsigned', value: number },
      { kind: 'utc-time', octets: new Uint8Array(8) },
      boolean(false),
      { kind: 'bit-string', size: 2, octets: Uint8Array.of(0) },
    ];
    const place = at % items.length;
    items.splice(place, how === 'twice' ? 0 : 1, ...(how === 'left out' ? [] : [other]));
    return { kind: 'structure', items };
  });

describe('Oper, SBOw, Cancel of any content', () => {
  it('are answered, move nothing that is not taken, and leave the association', async () => {
    const served = channel();
    const client = await Controller.open(served);
    const taken = () => served.passed.flatMap(({ readings }) => readings).filter(({ pointId }) => pointId < 10).length;
    const services = fc.constantFrom('Oper', 'SBOw', 'Cancel', 'SBO', 'Oper$ctlVal', 'Oper$origin$orIdent');
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(1, 2, 3, 4), services, fc.oneof(structure, nearly(client), leaf), async (model, service, value) => {
        const before = taken();
        const code = await client.write(`LD/GGIO1$CO$SPCSO${model}`, service, value);
        expect([null, 2, 3, 7, 10, 11]).toContain(code);
        if (code !== null || service !== 'Oper') expect(taken()).toBe(before);
        else expect(taken()).toBe(before + 1);
      }),
      { numRuns: 400 },
    );
    expect(served.counts.fault).toBe(0);
    expect(client.client.isOpen).toBe(true);
  });
});

type Step =
  | {
      readonly kind: 'send';
      readonly who: number;
      readonly service: 'SBOw' | 'Oper' | 'Cancel';
      readonly isOn: boolean;
      readonly number: number;
    }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'leave'; readonly who: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      who: fc.nat(1),
      service: fc.constantFrom('SBOw', 'Oper', 'Oper', 'Cancel'),
      isOn: fc.boolean(),
      number: fc.constantFrom(1, 2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 29_999, 30_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), who: fc.nat(1) }) },
);

/** What the standard allows: who holds the object, with what, since when. */
class Allowed {
  #held: { who: number; isOn: boolean; number: number; until: number } | null = null;

  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** True when the service must be taken. */
  send({ who, service, isOn, number }: Extract<Step, { kind: 'send' }>): boolean {
    if (this.#held && this.#held.until <= this.#now()) this.#held = null;
    const held = this.#held;
    if (service === 'SBOw') {
      if (held) return false;
      this.#held = { who, isOn, number, until: this.#now() + SELECT_S * 1000 };
      return true;
    }
    if (held?.who !== who) return false;
    this.#held = null;
    return service === 'Cancel' || (held.isOn === isOn && held.number === number);
  }

  leave(who: number): void {
    if (this.#held?.who === who) this.#held = null;
  }
}

describe('two clients at one object with SBO and enhanced security', () => {
  it('get what their selections allow, whatever they send; each taken Oper ends once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const served = channel();
        const clients = [await Controller.open(served), await Controller.open(served)];
        const allowed = new Allowed(() => served.clock.monotonicMs());
        const ended = [0, 0];
        for (const each of steps) {
          if (each.kind === 'wait') await served.clock.advance(each.ms);
          else if (each.kind === 'leave') {
            allowed.leave(each.who);
            await clients[each.who]?.client.close();
            clients[each.who] = await Controller.open(served);
            ended[each.who] = 0;
          } else {
            const code = await clients[each.who]?.send(KEY, each.service, boolean(each.isOn), { number: each.number });
            expect(code === null, JSON.stringify(each)).toBe(allowed.send(each));
            if (code === null && each.service === 'Oper') ended[each.who] = (ended[each.who] ?? 0) + 1;
          }
        }
        for (const [who, client] of clients.entries())
          expect(client.told.filter((word) => word === 'termination +')).toHaveLength(ended[who] ?? 0);
      }),
      { numRuns: 40 },
    );
  });
});
