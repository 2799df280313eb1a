/** System commands of a controlling station that are confirmed once: clock synchronization, reset, test (IEC 60870-5-5, 6.7, 6.10, 6.11). */

import { AppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { HealthSink } from '../../spi/index.ts';
import { decodeAsdu } from '../codec/asdu.ts';
import { Cause, isUnknownCause } from '../codec/causes.ts';
import { clockSynchronization, resetProcess, testCommand } from '../codec/make.ts';
import type { AsduSizes } from '../codec/sizes.ts';
import { TypeId } from '../codec/types.ts';
import { cp56ToUtc, type TimeRules, utcToCp56 } from '../time.ts';
import { refusalMessage } from './interrogations.ts';
import type { Requester } from './requester.ts';
import type { Reply, TransactionKey } from './transactions.ts';

const NO_ELEMENT = new Uint8Array(0);

export interface SystemCommandsOptions {
  readonly clock: Clock;
  readonly requester: Requester;
  readonly health: HealthSink;
  readonly sizes: AsduSizes;
  readonly rules: TimeRules;
  readonly originator: number;
  readonly confirmationMs: number;
}

/** What a station said to a new time. */
export interface ClockAnswer {
  /** UTC milliseconds that were sent. */
  readonly sentTime: number;
  /** The time of the station before the change, UTC milliseconds; null where its confirmation carries none. */
  readonly stationTime: number | null;
}

export class SystemCommands {
  readonly #options: SystemCommandsOptions;
  #testCounter = 0;

  constructor(options: SystemCommandsOptions) {
    this.#options = options;
  }

  /** Sets the clock of a station. Rejects with `DEVICE_EXCEPTION` when it refuses, `TIMEOUT_RESPONSE` when it says nothing. */
  async synchronize(commonAddress: number): Promise<ClockAnswer> {
    const { clock, requester, rules, originator } = this.#options;
    const sentTime = clock.wallMs();
    const asdu = clockSynchronization({ commonAddress, originator }, utcToCp56(sentTime, rules));
    // the confirmation may carry the time of the station
    const key = this.#key(TypeId.C_CS_NA_1, commonAddress, NO_ELEMENT, say('iec104.a_clock', { address: commonAddress }));
    const reply = await this.#ask(() => requester.send(asdu, key), say('iec104.new_time'));
    const [object] = decodeAsdu(reply.asdu, this.#options.sizes).objects;
    // stations may answer with their time before the change, or mirror the new one
    const stationTime = object?.time?.kind === 'cp56' ? cp56ToUtc(object.time, rules) : null;
    return { sentTime, stationTime };
  }

  /** Resets a station (`process`), or has it drop its waiting events with time tag (`events`). Rejects as `synchronize` does. */
  async reset(commonAddress: number, what: 'process' | 'events'): Promise<void> {
    const { requester, originator } = this.#options;
    const qualifier = what === 'process' ? 1 : 2;
    const key = this.#key(TypeId.C_RP_NA_1, commonAddress, Uint8Array.of(qualifier), say('iec104.a_reset', { address: commonAddress }));
    await this.#ask(() => requester.send(resetProcess({ commonAddress, originator }, qualifier), key), say('iec104.reset'));
  }

  /** Asks a station to return a counter. Rejects as `synchronize` does. */
  async test(commonAddress: number): Promise<{ readonly roundTripMs: number }> {
    const { clock, requester, rules, originator } = this.#options;
    this.#testCounter = (this.#testCounter + 1) & 0xffff;
    const begin = clock.monotonicMs();
    const asdu = testCommand({ commonAddress, originator }, this.#testCounter, utcToCp56(clock.wallMs(), rules));
    const counter = Uint8Array.of(this.#testCounter & 0xff, this.#testCounter >> 8);
    const key = this.#key(TypeId.C_TS_TA_1, commonAddress, counter, say('iec104.a_test', { address: commonAddress }));
    await this.#ask(() => requester.send(asdu, key), say('iec104.test'));
    return { roundTripMs: clock.monotonicMs() - begin };
  }

  #key(typeId: number, commonAddress: number, element: Uint8Array, what: Message): TransactionKey {
    const { originator } = this.#options;
    return {
      typeId,
      commonAddress,
      originator,
      address: 0,
      element,
      isCommand: typeId !== TypeId.C_TS_TA_1,
      causes: [Cause.activationCon],
      what,
    };
  }

  async #ask(send: () => ReturnType<Requester['send']>, what: Message): Promise<Extract<Reply, { kind: 'mirrored' }>> {
    const { requester, health, clock, confirmationMs } = this.#options;
    const transaction = send();
    try {
      const reply = await transaction.next(confirmationMs);
      if (reply.kind === 'ended') throw reply.error;
      if (reply.kind !== 'mirrored') {
        health.timeout();
        throw new AppError('TIMEOUT_RESPONSE', say('iec104.what_unconfirmed', { what, ms: confirmationMs }));
      }
      health.response(clock.monotonicMs() - transaction.sentAt);
      if (reply.isNegative || isUnknownCause(reply.cause)) {
        health.refusal();
        const detail = refusalMessage(reply);
        const data = { kind: 'refused', detail: english(detail) };
        throw new AppError('DEVICE_EXCEPTION', say('iec104.what_refused', { what, detail }), { data });
      }
      return reply;
    } finally {
      requester.transactions.close(transaction);
    }
  }
}
