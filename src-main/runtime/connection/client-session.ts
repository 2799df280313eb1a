import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { isListening } from '#shared/domain/listening.ts';
import type { DriverConnection } from '../../drivers/spi/index.ts';
import { type CancelTimer, cancelled } from '../../platform/clock.ts';
import type { CloseCause } from '../../transport/types.ts';
import { ChannelLine, describeEnd, lossError } from './channel-line.ts';
import { closeInOrder, type Session, type SessionContext, SessionVoice } from './session.ts';

/**
 * Opens a line to a device and brings the protocol up. Rejects with what transport or driver say; `CANCELLED` at once when the
 * signal ends it. Leaves nothing open when it rejects.
 */
export async function openClientSession(context: SessionContext, signal: AbortSignal): Promise<Session> {
  const opening = new ClientOpening(context);
  return opening.run(signal);
}

class ClientOpening {
  readonly #context: SessionContext;
  readonly #voice: SessionVoice;
  readonly #line: ChannelLine;
  /** Ends the attempt while the protocol comes up; null before and after. */
  #giveUp: ((error: AppError) => void) | null = null;
  #connection = 0;
  #cancelEnd: CancelTimer = () => undefined;

  constructor(context: SessionContext) {
    this.#context = context;
    this.#voice = new SessionVoice(context);
    const { settings } = context;
    this.#line = new ChannelLine(
      context.transports.connector(context.line),
      context.health,
      { onEnd: (cause) => this.#onEnd(cause), onFault: (error) => this.#onFault(error) },
      isListening({ conn_type: settings.connType, protocol: settings.protocol }),
    );
  }

  async run(signal: AbortSignal): Promise<Session> {
    const { frames } = this.#context;
    await this.#line.open(signal);
    this.#connection = this.#context.nextConnection();
    frames.event('opened', this.#line.label, this.#connection, this.#line.label);
    try {
      const connection = await this.#connect(signal);
      return this.#session(connection);
    } catch (thrown) {
      this.#voice.silence();
      this.#cancelEnd();
      await closeInOrder(this.#context, null, this.#line);
      throw toAppError(thrown);
    }
  }

  #session(connection: DriverConnection): Session {
    let closing: Promise<void> | null = null;
    return {
      connection,
      boundPort: null,
      serialPath: this.#line.serialPath,
      close: () => {
        this.#voice.silence();
        closing ??= closeInOrder(this.#context, connection, this.#line);
        return closing;
      },
    };
  }

  /** The protocol has until its own time limit; the end of the signal or of the line ends the wait at once. */
  #connect(signal: AbortSignal): Promise<DriverConnection> {
    const { driver } = this.#context;
    const attempt = new AbortController();
    return new Promise<DriverConnection>((resolve, reject) => {
      let isSettled = false;
      const settle = () => {
        isSettled = true;
        this.#giveUp = null;
        signal.removeEventListener('abort', onAbort);
      };
      const giveUp = (error: AppError) => {
        if (isSettled) return;
        settle();
        attempt.abort(error);
        reject(error);
      };
      const onAbort = () => giveUp(cancelled());
      this.#giveUp = giveUp;
      signal.addEventListener('abort', onAbort, { once: true });
      const io = { ...this.#voice.io(this.#connection, this.#line.label, (error) => this.#onLost(error)), line: this.#line };
      const connecting = (async () => driver.connect(io, attempt.signal))();
      connecting.then(
        (connection) => {
          // A protocol that came up after all has nobody to serve any more.
          if (isSettled) return void closeInOrder(this.#context, connection, null);
          settle();
          resolve(connection);
        },
        (thrown: unknown) => {
          if (!isSettled) settle();
          reject(thrown);
        },
      );
      if (signal.aborted) onAbort();
    });
  }

  #onEnd(cause: CloseCause): void {
    const { label } = this.#line;
    this.#context.frames.event('closed', describeEnd(cause), this.#connection, label);
    // The driver was told first: while it connects, its own words for the end come before ours.
    if (this.#giveUp) this.#cancelEnd = this.#context.clock.after(0, () => this.#onLost(lossError(cause)));
    else this.#voice.lost(lossError(cause));
  }

  #onFault(error: AppError): void {
    this.#voice.fault(error, (fault) => this.#onLost(fault));
  }

  #onLost(error: AppError): void {
    if (this.#giveUp) this.#giveUp(error);
    else this.#voice.lost(error);
  }
}
