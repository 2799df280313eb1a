import { isSerial } from '#shared/domain/enums.ts';
import { type ErrorCode, toAppError } from '#shared/domain/errors.ts';
import type { Recognition } from '../../../drivers/spi/diagnostics.ts';
import type { DriverChannelSettings, FrameSink } from '../../../drivers/spi/index.ts';
import { type Clock, delay } from '../../../platform/clock.ts';
import { ProbeLine } from '../../../runtime/connection/probe-line.ts';
import type { LineSettings, TransportFactory } from '../../../transport/types.ts';
import { type AddressRound, probeAddresses } from './addresses.ts';
import { type Asker, askerOver } from './asker.ts';
import type { Patient } from './examination.ts';

/** What an examination over a line of its own needs of the outside. */
export interface OwnLineOptions {
  readonly clock: Clock;
  readonly transports: TransportFactory;
  /** The line of the channel. */
  readonly line: LineSettings;
  /** Frame log that the examination writes into. */
  readonly frames: FrameSink;
  /** Paths of the serial ports of this computer. */
  readonly listPorts: () => Promise<readonly string[]>;
  /** How long a serial line is listened to before anything is sent. */
  readonly listenMs: number;
}

/** After an answer on a serial line: time for the answer of a second device. */
const SECOND_ANSWER_MS = 60;

/** What says that the adapter of a serial port was pulled. */
const GONE: readonly ErrorCode[] = ['TRANSPORT_LOST', 'TRANSPORT_PORT_MISSING'];

/** Opens lines for an examination, one at a time, and asks over them. */
export class ProbeOpener {
  readonly patient: Patient;
  readonly options: OwnLineOptions;
  readonly isSerial: boolean;

  constructor(patient: Patient, options: OwnLineOptions) {
    this.patient = patient;
    this.options = options;
    this.isSerial = isSerial(patient.settings.connType);
  }

  /** Runs `use` with a line and closes it afterwards. Rejects as the opening does. */
  async withLine<T>(settings: LineSettings, use: (line: ProbeLine) => Promise<T>): Promise<T> {
    const { clock, transports } = this.options;
    const line = new ProbeLine(transports.connector(settings), clock);
    try {
      await line.open(this.patient.job.signal);
      const result = await use(line);
      this.#requirePort(line);
      return result;
    } finally {
      await line.close();
    }
  }

  /** As `withLine`, but null when the line does not open or breaks: an attempt made in another way proves nothing by that. Rejects where the serial port is gone: nothing is tried any more. */
  async tryLine<T>(settings: LineSettings, use: (line: ProbeLine) => Promise<T>): Promise<T | null> {
    try {
      return await this.withLine(settings, use);
    } catch (thrown) {
      this.patient.job.checkpoint();
      if (this.isSerial && GONE.includes(toAppError(thrown).code)) throw thrown;
      if (toAppError(thrown).code.startsWith('TRANSPORT_') || toAppError(thrown).code.startsWith('TIMEOUT_')) return null;
      throw thrown;
    }
  }

  /** Brings the protocol up on `line`, asks the addresses, and hands the round over while the line stands. */
  async probe<T>(
    line: ProbeLine,
    slaveIds: readonly number[],
    use: (round: AddressRound, asker: Asker) => Promise<T>,
    changes: Partial<DriverChannelSettings> & { readonly isHasty?: boolean } = {},
  ): Promise<T> {
    const { clock, frames } = this.options;
    const { driver, points, job, diagnostics } = this.patient;
    const { isHasty = false, ...others } = changes;
    const settings = { ...this.patient.settings, ...others };
    const connection = await line.connect({ driver, settings, points, frames, signal: job.signal });
    const asker = askerOver(line, connection, job.signal);
    const settle = () => (this.isSerial ? delay(clock, SECOND_ANSWER_MS, job.signal) : Promise.resolve());
    const round = await probeAddresses(slaveIds, { asker, diagnostics, settings, job, clock, settle, isHasty });
    this.#requirePort(line);
    return use(round, asker);
  }

  /** Throws why a serial port ended by itself: its adapter was pulled, and what nobody could answer any more says nothing of a device. */
  #requirePort({ ended }: ProbeLine): void {
    if (this.isSerial && ended?.kind === 'failed') throw ended.error;
  }

  recognise(heard: Uint8Array, sent: readonly Uint8Array[] = []): Recognition {
    return this.patient.diagnostics.recognise(heard, sent, this.patient.settings);
  }
}

/** Whether any address of a round has answered in time. */
export function hasAnswer(round: AddressRound): boolean {
  return round.probes.some((probe) => probe.answer !== null);
}

/** Whether any address of a round has answered too late. */
export function hasLate(round: AddressRound): boolean {
  return round.probes.some((probe) => probe.lateMs !== null);
}
