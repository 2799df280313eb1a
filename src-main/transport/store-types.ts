import type { AppError } from '#shared/domain/errors.ts';
import type { WebPost } from './types.ts';

/** What a web address answered. */
export interface WebAnswer {
  readonly status: number;
  /** The header Retry-After as it came. */
  readonly retryAfter: string | null;
  /** The first 4096 octets, UTF-8. */
  readonly text: string;
}

/** Posts, and answers what came back. Redirections are not followed. Throws `TRANSPORT_*` and `TIMEOUT_RESPONSE`. */
export type WebAsker = (post: WebPost, signal: AbortSignal) => Promise<WebAnswer>;

/** Where a database of PostgreSQL is, and as whom it is spoken to. */
export interface DatabaseAddress {
  /** `postgresql://host:5432/database`. */
  readonly url: string;
  readonly user: string;
  readonly password: string | undefined;
  /** True: encrypted, and the certificate verified. */
  readonly tls: boolean;
  /** PEM of the authorities that may sign that certificate. Left out: those of the system. */
  readonly ca?: string | undefined;
}

/** The database did not do what it was asked; the connection stands. */
export interface DatabaseRefusal {
  readonly refused: {
    /** SQLSTATE, such as 22P05. */
    readonly code: string;
    readonly reason: string;
  };
}

/** What a statement answered: its tag, such as `COMMIT`, and its rows as texts. */
export interface DatabaseAnswer {
  readonly tag: string;
  readonly rows: readonly (readonly (string | null)[])[];
}

/** A standing connection to a database. One statement at a time. */
export interface DatabaseLink {
  /** One statement. Throws `TRANSPORT_LOST` and `TIMEOUT_RESPONSE` when the connection is lost, or given up because nothing came in time. */
  run(statement: string): Promise<DatabaseAnswer | DatabaseRefusal>;
  /** `COPY … FROM STDIN` with its data in text format. Throws as `run`. */
  copy(statement: string, data: string): Promise<DatabaseAnswer | DatabaseRefusal>;
  /** Why it ended without having been closed; `fn` is called once. */
  onLost(fn: (reason: AppError) => void): void;
  close(): Promise<void>;
}

/** Connects to a database; `timeoutMs` holds for that and for each statement. Throws `TRANSPORT_*`, `PROTOCOL_REFUSED`, `TIMEOUT_CONNECT`. */
export type DatabaseOpener = (address: DatabaseAddress, timeoutMs: number) => Promise<DatabaseLink>;
