import { type ConnType, isServing } from './enums.ts';

/** A channel as far as it says whether it only listens. */
export interface ListeningSettings {
  readonly conn_type: ConnType;
  readonly protocol: Readonly<Record<string, unknown>>;
}

/** True for a channel on which nothing is ever sent: its values are what others read (setting `listen_only` of the protocol). */
export function isListening({ conn_type, protocol }: ListeningSettings): boolean {
  return protocol.listen_only === 'on' && !isServing(conn_type);
}
