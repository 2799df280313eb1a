import type { FormulaScope } from '#shared/domain/formula/scope.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { DriverConnection, PointConfig, ServedSetting } from '../../drivers/spi/index.ts';
import type { CancelTimer, Clock } from '../../platform/clock.ts';
import { Turns } from '../../platform/turns.ts';
import { configsInTurns } from '../values/configs-in-turns.ts';
import { type KnownPoints, makeProgram, type Program, type SimulatedPoint } from './program.ts';
import { playRecordings } from './recordings.ts';

/** Points that are worked out and served between two questions whether the lines should have their turn. */
const POINTS_A_LOOK = 100;
/** Faults that are told; all are counted. */
const MOST_TOLD = 100;
/** After a pause (the computer slept, the thread was busy) the simulation goes on from where it was, with a step of so many periods at the most. */
const LONGEST_STEP = 4;

/** Steps of a few formulas are quick, so that a device answers as one does; those of many cost more. */
const FEW_FORMULAS = 1000;
const PERIOD_OF_FEW_MS = 200;
const PERIOD_OF_MANY_MS = 1000;

/** How the simulation of a channel runs. */
export interface SimulationControl {
  /** False: what is served stays as it is. */
  readonly isOn: boolean;
  /** Seconds of the simulation in one second. */
  readonly speed: number;
  /** Time between two steps. */
  readonly periodMs: number;
}

/** A point whose formula gives no value, or one that cannot be served. */
export interface SimulationFault {
  readonly pointId: number;
  readonly code: string;
  readonly reason: Message;
}

export interface SimulationState extends SimulationControl {
  /** True while steps follow each other: it is on, the channel runs, and a point has a formula. */
  readonly isRunning: boolean;
  /** Points that have a formula. */
  readonly points: number;
  /** Seconds since it began, at its speed. */
  readonly t: number;
  readonly steps: number;
  /** How long the last step took, the turns of others included, in milliseconds; null before the first. */
  readonly stepMs: number | null;
  /** Points that had a fault in the last step; the first ones are told. */
  readonly faultCount: number;
  readonly faults: readonly SimulationFault[];
}

/** What the simulation needs of its channel. */
export interface SimulatedChannel extends KnownPoints {
  readonly id: number;
  readonly clock: Clock;
  /** Shows what is served of these points, which nobody has read or set yet. */
  readServed(pointIds: readonly number[]): void;
  /** A fault in the simulation itself; the channel goes on without it. */
  onFault(thrown: unknown): void;
}

/** Works the formulas of a served point table out, step by step, and serves their values. It begins and ends with the connection. */
export class ChannelSimulation {
  readonly #channel: SimulatedChannel;
  #control: Pick<SimulationControl, 'isOn' | 'speed'> & { readonly periodMs: number | null } = { isOn: true, speed: 1, periodMs: null };
  #connection: DriverConnection | null = null;
  #program: Program | null = null;
  /** Config revision that the program was made for. */
  #madeFor = -1;
  #cancel: CancelTimer | null = null;
  /** Another one each time the simulation begins or ends: what was begun before does nothing any more. */
  #life = new Object();
  #isStepping = false;
  #t = 0;
  #steps = 0;
  #lastAt = 0;
  #stepMs: number | null = null;
  #faults: readonly SimulationFault[] = [];
  #faultCount = 0;
  #random = seeded(1);

  constructor(channel: SimulatedChannel) {
    this.#channel = channel;
  }

  /** The channel serves from now on. */
  begin(connection: DriverConnection): void {
    if (!connection.serve) return;
    this.#connection = connection;
    this.#reset();
    this.#schedule(0);
  }

  /** The channel serves no more. */
  end(): void {
    this.#connection = null;
    this.#program = null;
    this.#madeFor = -1;
    this.#life = new Object();
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Formulas may have come, changed or gone. */
  pointsChanged(): void {
    if (this.#connection && !this.#isStepping && this.#cancel === null) this.#schedule(0);
  }

  /** Takes over what is given. `isAnew`: from second 0 again, with nothing remembered. */
  set(change: Partial<SimulationControl>, isAnew = false): void {
    this.#control = { ...this.#control, ...change };
    if (!this.#connection) return;
    if (isAnew) {
      this.#program = null;
      this.#madeFor = -1;
      this.#reset();
    }
    this.#lastAt = this.#channel.clock.monotonicMs();
    this.#schedule(isAnew ? 0 : this.#periodMs);
  }

  state(): SimulationState {
    const points = this.#program ? this.#program.points.length + this.#program.faults.length : 0;
    const isRunning = this.#connection !== null && this.#control.isOn && points > 0;
    return {
      ...this.#control,
      periodMs: this.#periodMs,
      isRunning,
      points,
      t: this.#t,
      steps: this.#steps,
      stepMs: this.#stepMs,
      faultCount: this.#faultCount,
      faults: this.#faults,
    };
  }

  get #periodMs(): number {
    const { periodMs } = this.#control;
    return periodMs ?? ((this.#program?.points.length ?? 0) <= FEW_FORMULAS ? PERIOD_OF_FEW_MS : PERIOD_OF_MANY_MS);
  }

  #reset(): void {
    this.#life = new Object();
    this.#isStepping = false;
    this.#t = 0;
    this.#steps = 0;
    this.#stepMs = null;
    this.#faults = [];
    this.#faultCount = 0;
    // the same again each time: who looks for a fault sees the same values twice
    this.#random = seeded(this.#channel.id);
    this.#lastAt = this.#channel.clock.monotonicMs();
  }

  #schedule(ms: number): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#isStepping) return;
    const life = this.#life;
    this.#cancel = this.#channel.clock.after(ms, () => {
      this.#cancel = null;
      if (life === this.#life) void this.#run(life);
    });
  }

  async #run(life: object): Promise<void> {
    this.#isStepping = true;
    const { clock } = this.#channel;
    const began = clock.monotonicMs();
    try {
      await this.#step(life);
    } catch (thrown) {
      if (life === this.#life) {
        this.end();
        this.#channel.onFault(thrown);
      }
      return;
    }
    if (life !== this.#life) return;
    this.#isStepping = false;
    const hasFormulas = (this.#program?.points.length ?? 0) > 0;
    const isOutdated = this.#madeFor !== this.#channel.own.configRevision;
    // a table without formulas costs nothing until it is changed
    if (isOutdated) this.#schedule(0);
    else if (hasFormulas && this.#control.isOn) this.#schedule(Math.max(0, began + this.#periodMs - clock.monotonicMs()));
  }

  async #step(life: object): Promise<void> {
    const { clock } = this.#channel;
    const turns = new Turns();
    const program = await this.#programNow(life, turns);
    const connection = this.#connection;
    if (!program || !connection?.serve || !this.#control.isOn) return;
    const now = clock.monotonicMs();
    const elapsed = Math.min(now - this.#lastAt, LONGEST_STEP * this.#periodMs);
    const dt = this.#steps === 0 ? 0 : (elapsed / 1000) * this.#control.speed;
    this.#lastAt = now;
    const since = this.#t;
    this.#t += dt;
    const faults: SimulationFault[] = program.faults.map(({ point, reason }) => faultOf(point, reason));
    const scope = new StepScope(this.#t, dt, this.#random);
    const span = { from: since, to: this.#t, speed: this.#control.speed };
    const onFault = (point: PointConfig, reason: Message) => faults.push(faultOf(point, reason));
    for (const part of playRecordings(program.points, span, { size: POINTS_A_LOOK, onFault })) {
      if (!(await this.#goesOn(life, turns))) return;
      const unserved = serveAll(
        connection,
        part.map(({ setting }) => setting),
      );
      for (const { each, t, setting } of part) {
        if (!unserved.has(each.point.id)) each.served = setting.value;
        if (each.served !== null) each.playedTo = t;
      }
      for (const each of new Set(part.map((played) => played.each))) tellUnserved(each, unserved, faults);
    }
    for (const each of program.points) if (each.playedTo !== null) each.playedTo = this.#t;
    const works = program.points.filter(({ recording }) => !recording);
    for (let from = 0; from < works.length; from += POINTS_A_LOOK) {
      if (!(await this.#goesOn(life, turns))) return;
      const part = works.slice(from, from + POINTS_A_LOOK);
      const unserved = serveAll(
        connection,
        part.flatMap((each) => workOut(each, scope, faults)),
      );
      for (const each of part) if (!tellUnserved(each, unserved, faults) && Number.isFinite(each.value)) each.served = each.value;
    }
    this.#steps += 1;
    this.#stepMs = clock.monotonicMs() - now;
    this.#faultCount = faults.length;
    this.#faults = faults.slice(0, MOST_TOLD);
  }

  /** Lets others have their turn. False where the table was changed or the channel stopped: what is served now is of no use any more. */
  async #goesOn(life: object, turns: Turns): Promise<boolean> {
    await turns.breathe();
    return life === this.#life && this.#madeFor === this.#channel.own.configRevision;
  }

  async #programNow(life: object, turns: Turns): Promise<Program | null> {
    const { own } = this.#channel;
    if (this.#program && this.#madeFor === own.configRevision) return this.#program;
    const revision = own.configRevision;
    const configs = await configsInTurns(own, turns.breathe);
    const program = await makeProgram(configs, this.#channel, this.#program, turns.breathe);
    if (life !== this.#life || revision !== own.configRevision) return null;
    this.#program = program;
    this.#madeFor = revision;
    const unseen = program.asked.filter((id) => own.state(id)?.quality !== 'good');
    if (unseen.length > 0) this.#channel.readServed(unseen);
    return program;
  }
}

/** Answers why points could not be served, by their ids. */
function serveAll(connection: DriverConnection, settings: readonly ServedSetting[]): ReadonlyMap<number, Message> {
  const refused = settings.length === 0 ? [] : (connection.serve?.(settings) ?? []);
  return new Map(refused.map(({ pointId, reason }) => [pointId, reason]));
}

function tellUnserved(each: SimulatedPoint, unserved: ReadonlyMap<number, Message>, faults: SimulationFault[]): boolean {
  const reason = unserved.get(each.point.id);
  if (reason) faults.push(faultOf(each.point, say('simulation.not_served', { value: each.value, reason })));
  return reason !== undefined;
}

/** Works a formula out; answers what is to be served where that is another value than before. */
function workOut(each: SimulatedPoint, scope: StepScope, faults: SimulationFault[]): ServedSetting[] {
  scope.at(each);
  const value = each.work(scope);
  if (!Number.isFinite(value)) {
    const unknown =
      each.sources.find((source) => Number.isNaN(source.value())) ?? each.curves.find((curve) => Number.isNaN(curve.value(scope.t)));
    faults.push(faultOf(each.point, unknown?.why() ?? say('simulation.no_number')));
    return [];
  }
  each.value = value;
  return each.served === value ? [] : [{ point: each.point, value }];
}

function faultOf({ id, code }: PointConfig, reason: Message): SimulationFault {
  return { pointId: id, code, reason };
}

/** What the formulas of one step see, one after the other. */
class StepScope implements FormulaScope {
  readonly t: number;
  readonly dt: number;
  readonly random: () => number;
  #each: SimulatedPoint | null = null;

  constructor(t: number, dt: number, random: () => number) {
    this.t = t;
    this.dt = dt;
    this.random = random;
  }

  at(each: SimulatedPoint): void {
    this.#each = each;
  }

  get last(): number {
    return this.#each?.value ?? 0;
  }

  value(reference: number): number {
    return this.#each?.sources[reference]?.value() ?? Number.NaN;
  }

  series(place: number): number {
    return this.#each?.curves[place]?.value(this.t) ?? Number.NaN;
  }
}

/** Numbers from 0 to 1 in an order that follows from the seed (mulberry32, public domain). */
function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
