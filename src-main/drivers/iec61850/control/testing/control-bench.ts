/** A device with one control object and the client that commands it, on a clock of the test. */
import type { CommandStep } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { english, quoted } from '#shared/messages/index.ts';
import { ManualClock, settle } from '../../../../platform/manual-clock.ts';
import type { PointConfig } from '../../../spi/index.ts';
import { exchangeContext } from '../../../testing/sinks.ts';
import { spoken } from '../../../testing/spoken.ts';
import type { MmsClient, RequestOptions } from '../../association/mms-client.ts';
import { ChannelMemory } from '../../channel-memory.ts';
import type { InformationReport, MmsRequest } from '../../mms/pdu.ts';
import type { MmsResult, MmsType, MmsValue } from '../../mms/types.ts';
import { yk } from '../../testing/client-bench.ts';
import { ControlBook } from '../control-book.ts';
import { runControl } from '../control-run.ts';
import { askControlState } from '../control-state.ts';

export const structure = (components: Readonly<Record<string, MmsType>>): MmsType => ({
  kind: 'structure',
  components: Object.entries(components).map(([name, type]) => ({ name, type })),
});
const ORIGIN = structure({ orCat: { kind: 'integer', size: 8 }, orIdent: { kind: 'octet-string', size: -64 } });
export const BOOLEAN: MmsType = { kind: 'boolean' };

function controlType(ctlVal: MmsType, hasCheck: boolean, { hasTime = false, bare = false }: Script): MmsType {
  const check: Readonly<Record<string, MmsType>> = hasCheck ? { Check: { kind: 'bit-string', size: -2 } } : {};
  const time: Readonly<Record<string, MmsType>> = hasTime ? { operTm: { kind: 'utc-time' } } : {};
  if (bare) return structure({ ctlVal, T: { kind: 'utc-time' } });
  return structure({
    ctlVal,
    ...time,
    origin: ORIGIN,
    ctlNum: { kind: 'unsigned', size: 8 },
    T: { kind: 'utc-time' },
    Test: BOOLEAN,
    ...check,
  });
}

export const KEY = 'LD/CSWI1$CO$Pos';
const SERVICES: Readonly<Record<number, readonly string[]>> = {
  0: ['Oper'],
  1: ['Oper'],
  2: ['SBO', 'Oper', 'Cancel'],
  3: ['Oper', 'Cancel'],
  4: ['SBOw', 'Oper', 'Cancel'],
};

export interface Script {
  readonly model?: number | MmsResult;
  readonly services?: readonly string[];
  readonly ctlVal?: MmsType;
  readonly sboTimeoutMs?: number;
  /** A selection stands for several commands; needs `modelled`. */
  readonly operateMany?: boolean;
  readonly terminationMs?: number;
  /** What the device tells of object and node; numbers of an octet are bits of a double point. */
  readonly states?: Readonly<Record<string, number | boolean | 'refused' | readonly number[]>>;
  /** The model is learnt, so that states and sboTimeout are asked for. */
  readonly modelled?: boolean;
  /** Oper has operTm. */
  readonly hasTime?: boolean;
  /** Oper has a value and a time alone. */
  readonly bare?: boolean;
}

/** Answers a request; `silent`: never, after it was sent. */
type Answer = MmsResult | null | 'silent' | 'not sent';

/** A device with one control object, LD/CSWI1.Pos, and the client that commands it. */
export class ControlBench {
  readonly clock = new ManualClock();
  readonly notices: string[] = [];
  /** Services under CO in order, with the value that was written. */
  readonly asked: string[] = [];
  readonly written: MmsValue[] = [];
  /** What the device answers to SBO, SBOw, Oper and Cancel; null is success. Called before the answer goes out. */
  answer: (service: string) => Answer | Promise<Answer> = (service) =>
    service === 'SBO' ? { kind: 'visible-string', text: 'LD/CSWI1$CO$Pos' } : null;
  book: ControlBook;
  readonly #script: Script;

  readonly #memory = new ChannelMemory();

  constructor(script: Script = {}) {
    this.#script = script;
    if (script.modelled) {
      const node = { name: 'CSWI1', type: learntNode(script), notes: null };
      const device = { name: 'LD', instance: '', description: '', nodes: [node], dataSets: [] };
      this.#memory.model.use({ name: '', devices: [device], identity: null, configurationRevision: '' }, 'device', 0);
    }
    this.book = this.#newBook();
  }

  /** The association is lost, and another one stands. */
  reconnect(): void {
    this.book.lost(new AppError('TRANSPORT_LOST', quoted('gone')));
    this.book = this.#newBook();
  }

  #newBook(): ControlBook {
    return new ControlBook({
      clock: this.clock,
      notice: (text) => void this.notices.push(english(text)),
      timed: this.#memory.timedControls,
    });
  }

  run(
    step: CommandStep,
    value: number | null = 1,
    options: Record<string, unknown> = {},
    point: PointConfig = POINT,
    isStopping = () => false,
  ) {
    const device = { ...this.#device, clock: this.clock, terminationMs: this.#script.terminationMs ?? 30_000 };
    const done = runControl(device, { point, step, value: value ?? undefined, options }, exchangeContext({ isStopping })).then(spoken);
    done.catch(() => undefined);
    return done;
  }

  get #device() {
    const client = { request: (request: MmsRequest, sending?: RequestOptions) => this.#request(request, sending) } as Pick<
      MmsClient,
      'request'
    >;
    return { client, memory: this.#memory, book: this.book };
  }

  async state(options: Record<string, unknown> = {}) {
    return spoken(await askControlState(this.#device, { point: POINT, options }, new AbortController().signal));
  }

  /** Until the answer to Oper has been taken. */
  async confirmed(): Promise<void> {
    while (!this.asked.includes('Oper')) await settle();
    await settle();
  }

  /** Until so many services were sent and the answer to the last has been taken, or the device waits for nothing more. */
  async sent(count: number): Promise<void> {
    for (let turn = 0; turn < 200 && this.asked.length < count; turn++) await settle();
    await settle();
  }

  /** The member of what was written in the `at`th Write. */
  member(name: 'ctlVal' | 'origin' | 'ctlNum' | 'Check', at = 0): MmsValue | undefined {
    const value = this.written[at];
    return value?.kind === 'structure' ? value.items[['ctlVal', 'origin', 'ctlNum', 'T', 'Test', 'Check'].indexOf(name)] : undefined;
  }

  /** ctlNum of what was written in the `at`th Write, of an Oper with operTm. */
  timedNumber(at: number): MmsValue | undefined {
    const value = this.written[at];
    return value?.kind === 'structure' ? value.items[3] : undefined;
  }

  /** LastApplError of a service, before the answer to it. */
  refuse(service: string, number: number, addCause: number, error = 0): void {
    this.book.onReport({
      spec: { kind: 'variables', items: [vmd('LastApplError')] },
      results: [lastApplError(service, number, addCause, error)],
    });
  }

  /** CommandTermination; with an additional cause a negative one. */
  terminate(number: number, addCause: number | null = null, value: MmsValue | null = null): void {
    const items = addCause === null ? [] : [vmd('LastApplError')];
    const results: MmsResult[] = addCause === null ? [] : [lastApplError('Oper', number, addCause, 2)];
    const last = this.written.findLast((value) => value.kind === 'structure');
    const oper = last && 'items' in last ? [...last.items] : [];
    if (value) oper[0] = value;
    oper[this.#script.hasTime ? 3 : 2] = { kind: 'unsigned', value: number };
    const report: InformationReport = {
      spec: { kind: 'variables', items: [...items, { name: { scope: 'domain', domain: 'LD', item: 'CSWI1$CO$Pos$Oper' }, access: null }] },
      results: [...results, { kind: 'structure', items: oper }],
    };
    this.book.onReport(report);
  }

  async #request(request: MmsRequest, sending: RequestOptions = {}): Promise<unknown> {
    await settle();
    if (request.service === 'get-variable-access-attributes') {
      const { services, model, ctlVal = BOOLEAN } = this.#script;
      const names = services ?? SERVICES[typeof model === 'number' ? model : 1] ?? [];
      const type = (name: string): MmsType =>
        name === 'SBO' ? { kind: 'visible-string', size: -129 } : controlType(ctlVal, name !== 'Cancel', this.#script);
      return { service: request.service, isDeletable: false, type: structure(Object.fromEntries(names.map((name) => [name, type(name)]))) };
    }
    if ((request.service !== 'read' && request.service !== 'write') || request.spec.kind !== 'variables') throw new Error(request.service);
    const names = request.spec.items.map(({ name }) => name.item);
    const [first = ''] = names;
    if (!first.includes('$CO$')) return { service: 'read', spec: null, results: names.map((name) => this.#attribute(name)) };
    const service = first.slice(first.lastIndexOf('$') + 1);
    this.asked.push(service);
    if (request.service === 'write') this.written.push(...request.values);
    const answer = await this.answer(service);
    if (answer === 'not sent') throw new AppError('TRANSPORT_NOT_CONNECTED', quoted('There is no association.'));
    sending.onSent?.();
    if (answer === 'silent') throw new AppError('TIMEOUT_RESPONSE', quoted('The device did not answer.'));
    return { service: request.service, spec: null, results: [answer] };
  }

  #attribute(name: string): MmsResult {
    const { model = 1 } = this.#script;
    if (name.endsWith('ctlModel')) return typeof model === 'number' ? { kind: 'integer', value: model } : model;
    if (name.endsWith('sboTimeout')) return { kind: 'integer', value: this.#script.sboTimeoutMs ?? 0 };
    if (name.endsWith('sboClass')) return { kind: 'integer', value: this.#script.operateMany ? 1 : 0 };
    const parts = name.split('$');
    const state = this.#script.states?.[parts[2] === 'Pos' ? (parts[3] ?? '') : (parts[2] ?? '')] ?? 'refused';
    if (state === 'refused') return { kind: 'failure', code: 10 };
    if (typeof state === 'boolean') return { kind: 'boolean', value: state };
    return typeof state === 'number' ? { kind: 'integer', value: state } : { kind: 'bit-string', size: 2, octets: Uint8Array.from(state) };
  }
}

/** LD/CSWI1 as a device tells it, but for its controls. */
function learntNode({ states = {}, operateMany }: Script): MmsType {
  const typeOf = (name: string): MmsType => {
    const value = states[name];
    if (typeof value === 'object') return { kind: 'bit-string', size: 2 };
    return typeof value === 'boolean' ? BOOLEAN : { kind: 'integer', size: 32 };
  };
  const names = Object.keys(states);
  const ofObject = names.filter((name) => name.startsWith('st')).map((name) => [name, typeOf(name)] as const);
  const beside = names.filter((name) => !name.startsWith('st')).map((name) => [name, structure({ stVal: typeOf(name) })] as const);
  return structure({
    ST: structure({ Pos: structure(Object.fromEntries(ofObject)), ...Object.fromEntries(beside) }),
    CF: structure({
      Pos: structure({
        ctlModel: { kind: 'integer', size: 32 },
        sboTimeout: { kind: 'unsigned', size: 32 },
        ...(operateMany === undefined ? {} : { sboClass: { kind: 'integer', size: 8 } satisfies MmsType }),
      }),
    }),
  });
}

const vmd = (item: string) => ({ name: { scope: 'vmd', item } as const, access: null });

function lastApplError(service: string, number: number, addCause: number, error: number): MmsValue {
  const origin: MmsValue = {
    kind: 'structure',
    items: [
      { kind: 'integer', value: 2 },
      { kind: 'octet-string', octets: new Uint8Array(0) },
    ],
  };
  const integer = (value: number): MmsValue => ({ kind: 'integer', value });
  return {
    kind: 'structure',
    items: [{ kind: 'visible-string', text: `${KEY}$${service}` }, integer(error), origin, integer(number), integer(addCause)],
  };
}

export const POINT = yk(1, 'LD/CSWI1.Pos[CO]');
/** Names of the stages. */
export const stages = (result: { stages: readonly { name: string }[] }) => result.stages.map(({ name }) => name);
