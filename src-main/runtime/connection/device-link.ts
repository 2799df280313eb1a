import { AppError } from '#shared/domain/errors.ts';
import type { DriverConnection } from '../../drivers/spi/index.ts';

/**
 * One standing connection as its device uses it. When it has ended no exchange begins any more; when it is abandoned, exchanges
 * that have not returned fail, and whatever they bring later touches nothing.
 */
export class DeviceLink {
  readonly connection: DriverConnection;
  /** How many exchanges the holder of the lock may keep outstanding. */
  readonly window: number;
  /** True when commands run beside the exchange that holds the lock. */
  readonly hasCommandsBeside: boolean;
  readonly #pending = new Set<(error: AppError) => void>();
  readonly #end = new AbortController();
  #ended: AppError | null = null;
  #abandoned: AppError | null = null;

  constructor(connection: DriverConnection) {
    this.connection = connection;
    this.window = connection.link.kind === 'multiplexed' ? Math.max(1, connection.link.window) : 1;
    this.hasCommandsBeside = connection.link.commandsBeside === true;
  }

  /** Why no exchange may begin any more; null while the connection stands. */
  get ended(): AppError | null {
    return this.#ended;
  }

  /** Aborted with the reason when the connection has ended. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** True for the error that an exchange fails with because it had not returned when its line was closed. */
  wasAbandoned(thrown: unknown): boolean {
    return thrown !== null && thrown === this.#abandoned;
  }

  /** Runs one exchange. Throws what it throws, and the reason of the end when the connection has ended or was abandoned meanwhile. */
  run<T>(exchange: () => Promise<T>): Promise<T> {
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#pending.add(reject);
      exchange().then(
        (value) => {
          this.#pending.delete(reject);
          resolve(value);
        },
        (thrown: unknown) => {
          this.#pending.delete(reject);
          reject(thrown);
        },
      );
    });
  }

  /** No exchange begins from now on. The first reason stays. */
  end(reason: AppError): void {
    if (this.#ended) return;
    this.#ended = reason;
    this.#end.abort(reason);
  }

  /** Fails what has not returned although its line is closed. */
  abandon(reason: AppError): void {
    this.end(reason);
    const { code, said } = this.#ended ?? reason;
    const error = new AppError(code, said, { cause: this.#ended });
    this.#abandoned = error;
    for (const reject of [...this.#pending]) reject(error);
    this.#pending.clear();
  }
}
