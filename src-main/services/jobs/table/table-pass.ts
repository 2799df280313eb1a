import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type {
  DriverConnection,
  ExchangeContext,
  PointConfig,
  PointReading,
  ReadAnswer,
  ReadBatch,
  ReadPlan,
} from '../../../drivers/spi/index.ts';
import { runInTurns } from '../../../platform/steps.ts';

/** Requests in a row without an answer behind which a slave is not asked any more: one that never answered, and one that has. */
const MOST_SILENT = 3;
const MOST_SILENT_ANSWERING = 8;

/** How a pass reaches the device. */
export interface PassLine {
  /** Runs one exchange under the lock of the device. */
  readonly ask: <T>(exchange: (connection: DriverConnection, context: ExchangeContext) => Promise<T>, signal: AbortSignal) => Promise<T>;
  readonly breathe: () => Promise<void>;
  readonly signal: AbortSignal;
  /** False where a request says no addresses: halving it would ask the same once more. */
  readonly isHalved: boolean;
}

/** Takes what a pass brings. */
export interface PassSink {
  /** Before each request. Throws to end the pass. */
  begin(batch: ReadBatch): void;
  /** A request goes to the line: none does for a slave that was given up. */
  asking(): void;
  /** `isUnread`: the exchange brought nothing that could be read. */
  take(readings: readonly PointReading[], isUnread: boolean): void;
}

/** Who has answered, and who has been asked in vain. */
export class SilentSlaves {
  readonly #inARow = new Map<number | null, number>();
  readonly #hasAnswered = new Set<number | null>();

  answered(slaveId: number | null): void {
    this.#hasAnswered.add(slaveId);
    this.#inARow.delete(slaveId);
  }

  timedOut(slaveId: number | null): void {
    this.#inARow.set(slaveId, (this.#inARow.get(slaveId) ?? 0) + 1);
  }

  /** True for one that is not asked any more. */
  isGivenUp(slaveId: number | null): boolean {
    return this.inARow(slaveId) >= (this.#hasAnswered.has(slaveId) ? MOST_SILENT_ANSWERING : MOST_SILENT);
  }

  inARow(slaveId: number | null): number {
    return this.#inARow.get(slaveId) ?? 0;
  }
}

/**
 * Asks for points once, one exchange after the other. Rejects when the connection ends, or the signal; also where another one stands already: what is
 * asked, and where its answers have their points, was planned for the device as it was.
 */
export async function passOver(points: readonly PointConfig[], through: PassLine, silent: SilentSlaves, sink: PassSink): Promise<void> {
  const line = onOneConnection(through);
  const byId = new Map(points.map((point) => [point.id, point]));
  const plan = await planOf(points, line);
  sink.take(plan.excluded, false);
  // the next one stands last
  const waiting = plan.batches.toReversed();
  for (let batch = waiting.pop(); batch; batch = waiting.pop()) {
    sink.begin(batch);
    if (silent.isGivenUp(batch.slaveId)) {
      sink.take(failures(batch, givenUp(batch.slaveId, silent)), true);
      await line.breathe();
      continue;
    }
    sink.asking();
    const answer = await askOnce(batch, line, silent);
    if (answer instanceof AppError) {
      const halves = isWorthHalving(batch, answer, line, silent) ? await halvesOf(batch, byId, line) : [];
      if (halves.length === 0) sink.take(failures(batch, answer), true);
      // behind all others: two halves that stay unanswered in a row would be taken for a slave that is not there
      waiting.unshift(...halves.toReversed());
      continue;
    }
    sink.take(withMissing(batch, answer), false);
    waiting.push(...answer.next.toReversed());
  }
}

/** The line, as long as the connection is the one that was there first. Throws `TRANSPORT_LOST` on another one. */
function onOneConnection(line: PassLine): PassLine {
  let own: DriverConnection | null = null;
  return {
    ...line,
    ask: (exchange, signal) =>
      line.ask(async (standing, context) => {
        own ??= standing;
        if (standing !== own) throw new AppError('TRANSPORT_LOST', say('runtime.given_up'));
        return exchange(standing, context);
      }, signal),
  };
}

async function planOf(points: readonly PointConfig[], { ask, breathe, signal }: PassLine): Promise<ReadPlan> {
  // planning asks nothing: the line is not kept for it
  const connection = await ask(async (standing) => standing, signal);
  const options = { mode: 'batch', skipKnownHoles: false } as const;
  const steps = connection.planSteps?.(points, options);
  return steps ? runInTurns(steps, breathe) : connection.plan(points, options);
}

/** The answer, or why there is none; throws what ends the pass. */
async function askOnce(batch: ReadBatch, { ask, signal }: PassLine, silent: SilentSlaves): Promise<ReadAnswer | AppError> {
  try {
    const answer = await ask((connection, context) => connection.read(batch, context), signal);
    silent.answered(batch.slaveId);
    return answer;
  } catch (thrown) {
    const error = toAppError(thrown);
    if (!/^(TIMEOUT_RESPONSE|FRAME_|PROTOCOL_|DEVICE_|CONFIG_)/.test(error.code)) throw error;
    if (error.code === 'TIMEOUT_RESPONSE') silent.timedOut(batch.slaveId);
    else silent.answered(batch.slaveId);
    return error;
  }
}

/** A device may leave a whole request unanswered for the sake of one address in it. */
function isWorthHalving(batch: ReadBatch, error: AppError, { isHalved }: PassLine, silent: SilentSlaves): boolean {
  return isHalved && batch.pointIds.length > 1 && error.code === 'TIMEOUT_RESPONSE' && !silent.isGivenUp(batch.slaveId);
}

async function halvesOf(batch: ReadBatch, byId: ReadonlyMap<number, PointConfig>, line: PassLine): Promise<ReadBatch[]> {
  const points = batch.pointIds.flatMap((id) => byId.get(id) ?? []);
  const middle = Math.ceil(points.length / 2);
  const plans = [await planOf(points.slice(0, middle), line), await planOf(points.slice(middle), line)];
  return plans.flatMap(({ batches }) => batches);
}

function failures({ pointIds }: ReadBatch, error: AppError): PointReading[] {
  return pointIds.map((pointId) => ({ kind: 'failure', pointId, error }));
}

function givenUp(slaveId: number | null, silent: SilentSlaves): AppError {
  return new AppError('TIMEOUT_SUSPENDED', say('jobs.table_given_up', { slave: slaveId ?? '', count: silent.inARow(slaveId) }));
}

/** Points that the answer should have and has not. */
function withMissing(batch: ReadBatch, { readings, next }: ReadAnswer): readonly PointReading[] {
  const told = new Set([...readings.map(({ pointId }) => pointId), ...next.flatMap(({ pointIds }) => pointIds)]);
  const missing = batch.pointIds.filter((id) => !told.has(id));
  if (missing.length === 0) return readings;
  const error = new AppError('PROTOCOL_MALFORMED', say('runtime.no_value'));
  return [...readings, ...failures({ ...batch, pointIds: missing }, error)];
}
