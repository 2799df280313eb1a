import type { Channel } from '#shared/contract/channels.ts';
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import type { ListAnalysis } from '#shared/contract/list-operations.ts';

/** What a person sees and corrects of a foreign list. */
export interface MappingView {
  readonly channel: Channel;
  readonly analysis: ListAnalysis;
  readonly mapping: ListMapping;
  onMapping(mapping: ListMapping): void;
}
