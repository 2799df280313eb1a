import { z } from 'zod';
import { invalidInput } from '#shared/domain/errors.ts';
import { fieldMessage } from './field-messages.ts';

/** Options of a command that the service itself knows; all others go to the protocol. */
const OwnOptions = z.object({
  /** Read the point after the device took the command. */
  read_back: z.boolean().default(true),
  /** How long the related point is watched for its reaction, in milliseconds; 0 does not watch. */
  reaction_timeout_ms: z.int().min(0).max(60_000).default(2000),
});

export interface CommandOptions {
  readonly readBack: boolean;
  readonly reactionTimeoutMs: number;
}

/** Parts the options of a command into ours and those of the protocol. Throws `CONFIG_INVALID` with paths below `options`. */
export function takeCommandOptions(options: Readonly<Record<string, unknown>>): {
  own: CommandOptions;
  driver: Readonly<Record<string, unknown>>;
} {
  const { read_back, reaction_timeout_ms, ...driver } = options;
  const parsed = OwnOptions.safeParse({ read_back, reaction_timeout_ms }, { reportInput: true, error: fieldMessage });
  if (!parsed.success) {
    throw invalidInput(
      parsed.error.issues.map((issue) => ({ path: `options.${issue.path.map(String).join('.')}`, message: issue.message })),
    );
  }
  return { own: { readBack: parsed.data.read_back, reactionTimeoutMs: parsed.data.reaction_timeout_ms }, driver };
}
