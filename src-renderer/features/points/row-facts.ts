import type { Channel } from '#shared/contract/channels.ts';

/** What the buttons of a row need of the channel: nothing that changes with each request. */
export interface RowFacts extends Pick<Channel, 'conn_type' | 'read_only' | 'status'> {
  readonly isServiceReadOnly: boolean;
}
