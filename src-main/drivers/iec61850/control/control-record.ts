import { toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { CommandStage, CommandStateItem, DriverCommandResult } from '../../spi/index.ts';
import { refusalOf } from '../association/refusals.ts';
import type { Refusal } from './control-outcome.ts';

/** How a service that was sent ended. */
export type Sent = { readonly kind: 'taken' } | { readonly kind: 'ended'; readonly result: DriverCommandResult };

/** What is told of one step: the stages it goes through, what the device said of itself, how it ended. */
export class ControlRecord {
  readonly #clock: Clock;
  readonly #stages: CommandStage[] = [];
  #items: readonly CommandStateItem[] | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What the device says of itself before the step. */
  state(items: readonly CommandStateItem[]): void {
    this.#items = items;
  }

  stage(name: string, detail: Message): void {
    this.#stages.push({ name, at: this.#clock.wallMs(), detail });
  }

  result(outcome: DriverCommandResult['outcome']): DriverCommandResult {
    return { outcome, stages: this.#stages, refusal: null, failure: null, ...(this.#items && { state: this.#items }) };
  }

  reject({ kind, detail }: Refusal): DriverCommandResult {
    return { ...this.result('rejected'), refusal: { kind, detail } };
  }

  /** The channel stops between selection and operation: nothing more is sent. */
  stopped(selectMs: number | null): DriverCommandResult {
    const detail = selectMs ? say('control.stopped_for', { seconds: selectMs / 1000 }) : say('control.stopped');
    return this.reject({ kind: 'stopped', detail });
  }

  /** Somebody cancelled the command while it was on its way. */
  cancelledBefore(): DriverCommandResult {
    return this.reject({ kind: 'cancelled', detail: say('control.cancelled_before') });
  }

  /** Sends one service, once. A refusal and a silence are results; what failed before the sending is thrown. */
  async send(stage: string, what: Message, ask: (onSent: () => void) => Promise<Refusal | null>): Promise<Sent> {
    let isSent = false;
    const onSent = () => {
      isSent = true;
    };
    this.stage(stage, what);
    try {
      const refusal = await ask(onSent);
      return refusal ? { kind: 'ended', result: this.reject(refusal) } : { kind: 'taken' };
    } catch (thrown) {
      const error = toAppError(thrown);
      const refused = refusalOf(error);
      if (refused) return { kind: 'ended', result: this.reject(refused) };
      if (!isSent) throw error;
      this.stage('unanswered', error.said);
      return { kind: 'ended', result: { ...this.result('unknown'), failure: error } };
    }
  }
}
