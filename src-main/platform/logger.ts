/** What the house needs of a logger; pino fits as it is. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** For tests and tools: says nothing. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
