/** What the parts of a search are given. */
import type { FindBody, FoundDevice } from '#shared/contract/jobs.ts';
import type { FindCode } from '#shared/domain/find.ts';
import type { MessageParams } from '#shared/messages/message.ts';
import type { DriverDiagnostics, WildcardSearch } from '../../../drivers/spi/diagnostics.ts';
import type { ProtocolDriver } from '../../../drivers/spi/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { TransportFactory } from '../../../transport/types.ts';
import type { JobRecord } from '../job-record.ts';
import type { FindSetting } from './settings.ts';

export interface FindDeps {
  readonly clock: Clock;
  readonly transports: TransportFactory;
  readonly driver: ProtocolDriver;
  readonly diagnostics: DriverDiagnostics;
  /** Gives the serial port back. */
  readonly release: () => void;
}

/** Where a search works, with one setting of its line. */
export interface LineSearchOptions extends Omit<FindDeps, 'release'> {
  readonly request: FindBody;
  readonly setting: FindSetting;
  readonly job: JobRecord;
  readonly onFound: (device: NewlyFound) => void;
}

/** A device as it was found; where is added by the job. */
export type NewlyFound = Omit<FoundDevice, 'line' | 'baud_rate' | 'format' | 'address'>;

export interface WildcardFindOptions extends Omit<LineSearchOptions, 'onFound'> {
  readonly wildcards: WildcardSearch;
  readonly budget: QuestionBudget;
  /** `protocol`: settings of its points; null for one that was only heard. */
  readonly onFound: (device: NewlyFound, protocol: Readonly<Record<string, unknown>> | null) => void;
  readonly onIdentity: (slaveId: number, identity: string) => void;
  readonly onNote: (code: FindCode, params: MessageParams) => void;
}

/** What a search by wildcards counts over all settings. */
export interface QuestionBudget {
  asked: number;
}
