import { z } from 'zod';
import { type FieldIssue, invalidInput } from '#shared/domain/errors.ts';
import { FieldWords } from '#shared/messages/field-words.ts';
import type { ProtocolDriver } from '../drivers/spi/index.ts';
import { checkProtocolSettings } from './channel-settings.ts';
import type { CallContext } from './handlers.ts';

/** Options of a command that the service itself knows; all others go to the protocol. */
const OwnOptions = z.object({
  /** Read the point after the device took the command. */
  read_back: z.boolean().default(true),
  /** How long the related point is watched for its reaction, in milliseconds; 0 does not watch. */
  reaction_timeout_ms: z.int().min(0).max(60_000).default(2000),
});
const OWN_NAMES = Object.keys(OwnOptions.shape);

export interface CommandOptions {
  readonly readBack: boolean;
  readonly reactionTimeoutMs: number;
}

type GivenOptions = Readonly<Record<string, unknown>>;

/** Our own options of a command. Throws `CONFIG_INVALID` with paths below `options`. */
export function ownOptions({ read_back, reaction_timeout_ms }: GivenOptions): CommandOptions {
  const words = new FieldWords();
  const parsed = OwnOptions.safeParse({ read_back, reaction_timeout_ms }, words.options);
  if (!parsed.success) {
    throw invalidInput(parsed.error.issues.map((issue) => words.issue(`options.${issue.path.map(String).join('.')}`, issue)));
  }
  return { readBack: parsed.data.read_back, reactionTimeoutMs: parsed.data.reaction_timeout_ms };
}

/** The options for the protocol. What nobody knows is left out with a warning. Throws `CONFIG_INVALID` with paths below `options`. */
export function protocolOptions(options: GivenOptions, driver: ProtocolDriver, context: CallContext): GivenOptions {
  const issues: FieldIssue[] = [];
  const schema = (driver.descriptor.commandOptions ?? z.object({})).extend(OwnOptions.shape);
  const known = checkProtocolSettings(schema, options, 'options', issues, context);
  if (issues.length > 0) throw invalidInput(issues);
  return Object.fromEntries(Object.entries(known).filter(([name]) => !OWN_NAMES.includes(name)));
}
