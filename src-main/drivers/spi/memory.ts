/** What a driver keeps from one connection to the next, and in the project, and what is entrusted to it. */

/** Things a driver keeps beyond a connection, by names of its own. */
export type DriverMemory = Map<string, unknown>;

/** One JSON value of a driver for its channel; undefined or null before the first write. Small. Throws `STATE_STORE`. */
export interface DriverLasting {
  read(): unknown;
  write(value: unknown): void;
}

/** Secrets by the names of the descriptor. A value goes to the device and nowhere else: into no message, result, label or log. */
export type DriverSecrets = Readonly<Record<string, string | undefined>>;
