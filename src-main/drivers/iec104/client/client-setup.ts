/** What a controlling station asks by itself, as the settings of the channel say: after the start and each reconnect, after a station restarted, and periodically. */

import { type AppError, isCancelled, toAppError } from '#shared/domain/errors.ts';
import { type MessageId, say } from '#shared/messages/index.ts';
import type { CancelTimer, Clock } from '../../../platform/clock.ts';
import type { DriverSink } from '../../spi/index.ts';
import type { Iec104Settings } from '../settings.ts';
import type { Inquiry, InquiryEnd, Interrogations } from './interrogations.ts';
import { inquiryError } from './interrogations.ts';

export interface SetupOptions {
  readonly clock: Clock;
  readonly settings: Iec104Settings;
  readonly interrogations: Interrogations;
  readonly sink: Pick<DriverSink, 'notice'>;
  readonly confirmationMs: number;
  /** Common addresses to ask; the address of all where the table is empty. */
  stations(): readonly number[];
  /** Sets the clock of a station; rejects with what it says. */
  setClock(commonAddress: number): Promise<void>;
}

type Task = 'interrogation' | 'clock' | 'counters';

const NAMES = {
  interrogation: 'iec104.general_interrogation',
  clock: 'iec104.clock',
  counters: 'iec104.counters',
} as const satisfies Record<Task, MessageId>;

export class Setup {
  readonly #options: SetupOptions;
  readonly #end = new AbortController();
  /** What waits to be asked, in order: `interrogation 1`. */
  readonly #waiting = new Set<string>();
  readonly #timers = new Map<Task, CancelTimer>();
  #isBusy = false;

  constructor(options: SetupOptions) {
    this.#options = options;
  }

  /** Data transfer has been started. */
  begin(): void {
    const { settings, clock } = this.#options;
    const wanted: [Task, boolean][] = [
      ['interrogation', settings.general_interrogation],
      ['clock', settings.clock_synchronization],
      ['counters', settings.counter_interrogation],
    ];
    this.#timers.set(
      'interrogation',
      // the connection is reported first
      clock.after(0, () => {
        for (const [task, isWanted] of wanted) if (isWanted) this.#askAll(task);
        this.#repeat('interrogation', settings.general_interrogation_s);
        this.#repeat('clock', settings.clock_synchronization_s);
        this.#repeat('counters', settings.counter_interrogation_s);
      }),
    );
  }

  /** A station tells that it has restarted: what it holds is asked for again. */
  restarted(commonAddress: number): void {
    const { settings, interrogations } = this.#options;
    if (!settings.general_interrogation || interrogations.covers(commonAddress)) return;
    this.#ask('interrogation', commonAddress);
  }

  /** Asks nothing any more. */
  close(): void {
    this.#end.abort();
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#waiting.clear();
  }

  #repeat(task: Task, everySeconds: number): void {
    if (everySeconds === 0 || this.#end.signal.aborted) return;
    this.#timers.set(
      task,
      this.#options.clock.after(everySeconds * 1000, () => {
        this.#askAll(task);
        this.#repeat(task, everySeconds);
      }),
    );
  }

  #askAll(task: Task): void {
    for (const commonAddress of this.#options.stations()) this.#ask(task, commonAddress);
  }

  /** One after the other; what waits already is not asked twice. */
  #ask(task: Task, commonAddress: number): void {
    this.#waiting.add(`${task} ${commonAddress}`);
    if (this.#isBusy) return;
    this.#isBusy = true;
    void this.#work().finally(() => {
      this.#isBusy = false;
    });
  }

  async #work(): Promise<void> {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || this.#end.signal.aborted) return;
      this.#waiting.delete(next);
      const [task, commonAddress] = next.split(' ');
      await this.#run(task as Task, Number(commonAddress));
    }
  }

  async #run(task: Task, commonAddress: number): Promise<void> {
    try {
      if (task === 'clock') await this.#options.setClock(commonAddress);
      else {
        const inquiry: Inquiry = task === 'interrogation' ? { kind: 'objects', group: 0 } : { kind: 'counters', group: 0, freeze: 0 };
        const end: InquiryEnd = await this.#options.interrogations.run(commonAddress, inquiry, null, this.#end.signal);
        if (end.kind !== 'terminated') throw inquiryError(end, say('iec104.it'), this.#options.confirmationMs);
      }
    } catch (thrown) {
      const error = toAppError(thrown);
      // the end of the connection is told by the channel
      if (isCancelled(error) || this.#end.signal.aborted || isConnectionError(error)) return;
      this.#options.sink.notice(say('iec104.what_failed', { what: say(NAMES[task], { address: commonAddress }), reason: error.said }));
    }
  }
}

function isConnectionError(error: AppError): boolean {
  return error.code.startsWith('TRANSPORT_');
}
