import type { ChannelSettings } from '#shared/contract/channels.ts';
import type { FieldIssue } from '#shared/domain/errors.ts';
import type { NormalPoint } from '../../drivers/spi/index.ts';
import type { DriverRegistry } from '../../runtime/types.ts';

/** What a text holds, without its points. */
export interface TextFacts {
  readonly version: number | null;
  readonly hasSettings: boolean;
  /** `at`: place in the text, from 0. */
  readonly channels: readonly { readonly at: number; readonly name: string; readonly protocol: number; readonly points: number }[];
  readonly errors: readonly FieldIssue[];
  readonly warnings: readonly FieldIssue[];
}

/** A channel of a text, to be added. */
export interface ChannelPlan {
  readonly settings: ChannelSettings;
  readonly points: readonly NormalPoint[];
}

/** Where text forms are read: a thread of its own, so that the lines do not wait. Bad texts are told in `errors`; nothing is thrown for them. */
export interface TextWork {
  /** Reads and checks the text in `file`. */
  check(file: string, drivers: DriverRegistry): Promise<TextFacts>;
  /** As `check`, with the channels where there is no error. */
  read(file: string, drivers: DriverRegistry): Promise<{ readonly facts: TextFacts; readonly channels: readonly ChannelPlan[] }>;
  /** As `check`; where there is no error it makes the new project file `target` with all of it. Throws as the making of a project does. */
  make(file: string, target: string, drivers: DriverRegistry): Promise<TextFacts>;
}
