/** Finds out what a SunSpec device holds: its marker, then model by model, one read each (Device Information Model Specification V1.2, 6). */
import { z } from 'zod';
import { ConnType } from '#shared/domain/enums.ts';
import { say } from '#shared/messages/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { u16 } from '../../../protocol-kit/bytes.ts';
import type { ExchangeContext } from '../../spi/index.ts';
import type { DriverOperation, OperationResult } from '../../spi/operations.ts';
import { MAX_ADDRESS } from '../codec/functions.ts';
import { encodeRead } from '../codec/request.ts';
import { exceptionOf, readAnswerData } from '../codec/response.ts';
import type { ExchangeSession } from '../link/exchange-session.ts';
import { modelOf } from './definitions.ts';
import { type Block, countNames, offsetsOf, placePoints } from './layout.ts';
import { type FoundPoint, foundPoints } from './points.ts';

/** Where devices may have the marker, the usual place first (6.1). */
const BASES = [40_000, 0, 50_000] as const;
const MARKER = 0x53756e53;
const END_MODEL = 0xffff;
const HEADER = 2;
/** What a device may tell at most, lest one that repeats itself is walked for ever. */
const MOST_MODELS = 200;
const MOST_POINTS = 20_000;
/** Most registers of one read. */
const MOST_READ = 125;

export const DISCOVER_SUNSPEC: DriverOperation = {
  name: 'discover_sunspec',
  summary: 'Find the SunSpec models of a device by its marker, and make points of them. Reads holding registers, a request for each model.',
  params: z.object({
    unit_id: z.int().min(0).max(255).default(1).describe('unit id').meta({ names: 'slave', stays: true }),
    setpoints: z.boolean().default(false).describe('make a setpoint beside each number that may be written'),
  }),
  effect: 'repeatable',
  connTypes: [ConnType.rtuMaster, ConnType.tcpClient],
};

interface FoundModel {
  readonly model: number;
  readonly title: string;
  readonly address: number;
  readonly length: number;
  readonly points: number;
}

interface Environment {
  readonly session: Pick<ExchangeSession, 'exchange'>;
  readonly clock: Clock;
  readonly addressBase: number;
}

/** One walk through a device. Each step is one exchange; the line is given back behind it. */
export class SunSpecDiscovery {
  readonly #environment: Environment;
  readonly #unitId: number;
  readonly #withSetpoints: boolean;
  readonly #models: FoundModel[] = [];
  readonly #points: FoundPoint[] = [];
  readonly #seen = new Map<number, number>();
  #base = 0;

  constructor(environment: Environment, params: Readonly<Record<string, unknown>>) {
    this.#environment = environment;
    this.#unitId = Number(params.unit_id);
    this.#withSetpoints = params.setpoints === true;
  }

  /** Looks for the marker. Throws for a question that is not answered. */
  async start(context: ExchangeContext, place = 0): Promise<OperationResult> {
    const base = BASES[place];
    if (base === undefined) return this.#ended('rejected', say('modbus.no_sunspec', { places: [...BASES] }));
    const registers = await this.#read(base, HEADER, context);
    const isMarked = registers !== null && u16(registers, 0) * 0x10000 + u16(registers, 2) === MARKER;
    if (!isMarked) return this.#on((next) => this.start(next, place + 1));
    this.#base = base;
    return this.#on((next) => this.#walk(base + HEADER, next));
  }

  /** The model whose id stands at `address`. */
  async #walk(address: number, context: ExchangeContext): Promise<OperationResult> {
    const header = address + 1 > MAX_ADDRESS ? null : await this.#read(address, HEADER, context);
    if (header === null) return this.#ended('accepted', say('modbus.sunspec_no_end', { address }));
    const [id, length] = [u16(header, 0), u16(header, 2)];
    if (id === END_MODEL)
      return this.#ended('accepted', say('modbus.sunspec_found', { models: this.#models.length, points: this.#points.length }));
    if (this.#models.length >= MOST_MODELS || this.#points.length >= MOST_POINTS || address + HEADER + length > MAX_ADDRESS + 1)
      return this.#ended('accepted', say('modbus.sunspec_no_end', { address }));
    const model = modelOf(id);
    if (!model) return this.#take(null, { id, address, length }, new Map());
    const block = { model, address, length };
    if (countNames(model).length === 0) return this.#take(block, { id, address, length }, new Map());
    return this.#on((next) => this.#count(block, next));
  }

  /** Reads how often the groups of a model stand there. */
  async #count(block: Block, context: ExchangeContext): Promise<OperationResult> {
    const { model, address, length } = block;
    const quantity = Math.min(MOST_READ, HEADER + length);
    const registers = await this.#read(address, quantity, context);
    const offsets = offsetsOf(model);
    const counts = new Map<string, number>();
    for (const name of countNames(model)) {
      const offset = offsets.get(name);
      if (registers !== null && offset !== undefined && offset < quantity) counts.set(name, u16(registers, 2 * offset));
    }
    return this.#take(block, { id: model.id, address, length }, counts);
  }

  #take(
    block: Block | null,
    { id, address, length }: { readonly id: number; readonly address: number; readonly length: number },
    counts: ReadonlyMap<string, number>,
  ): OperationResult {
    const number = (this.#seen.get(id) ?? 0) + 1;
    this.#seen.set(id, number);
    const title = block ? (block.model.group.label ?? block.model.group.name) : '';
    const points = block
      ? foundPoints(placePoints(block, counts), {
          slaveId: this.#unitId,
          addressBase: this.#environment.addressBase,
          modelName: number === 1 ? `${id}` : `${id}#${number}`,
          title: number === 1 ? title : `${title} ${number}`,
          withSetpoints: this.#withSetpoints,
        })
      : [];
    this.#models.push({ model: id, title, address, length, points: points.length });
    for (const point of points) this.#points.push(point);
    return this.#on((next) => this.#walk(address + HEADER + length, next));
  }

  /** Registers; null where the device refuses them. */
  async #read(address: number, quantity: number, context: ExchangeContext): Promise<Uint8Array | null> {
    const check = (answer: Uint8Array) => void readAnswerData(answer, 3, quantity);
    const end = await this.#environment.session.exchange({ unitId: this.#unitId, pdu: encodeRead(3, address, quantity), check }, context);
    if (end.kind === 'failed') throw end.error;
    return exceptionOf(end.pdu) === 0 ? readAnswerData(end.pdu, 3, quantity) : null;
  }

  #on(next: (context: ExchangeContext) => Promise<OperationResult>): OperationResult {
    return { outcome: 'accepted', stages: [], result: {}, next };
  }

  #ended(outcome: 'accepted' | 'rejected', detail: ReturnType<typeof say>): OperationResult {
    const stages = [{ name: outcome === 'accepted' ? 'done' : 'rejected', at: this.#environment.clock.wallMs(), detail }];
    if (outcome === 'rejected') return { outcome, stages, result: {} };
    return { outcome, stages, result: { address: this.#base, models: this.#models, points: this.#points } };
  }
}
