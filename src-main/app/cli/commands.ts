import type { ParseArgsConfig } from 'node:util';
import type { CliContext } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import { COMMON_OPTIONS } from './options.ts';
import { padded, textWidth } from './table.ts';
import type { Speech } from './words.ts';

type OptionWords = keyof Speech['own']['option'];

/** One command of the command line. */
interface Command {
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** Options whose help is another one here. */
  readonly help?: Readonly<Record<string, OptionWords>>;
  run(context: CliContext): Promise<ExitCode>;
}

/** Names of the commands, in the order of the help. */
export const COMMAND_NAMES = ['read', 'write', 'watch', 'scan', 'export', 'import', 'check'] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];

export function isCommandName(word: string | undefined): word is CommandName {
  return COMMAND_NAMES.includes(word as CommandName);
}

const SECONDS = { timeout: 'read-timeout' } as const;

/** Loads a command: what a call does not need is not loaded. */
export async function loadCommand(name: CommandName): Promise<Command> {
  switch (name) {
    case 'read': {
      const { readOptions, readCommand } = await import('./read-command.ts');
      return { options: readOptions, help: SECONDS, run: readCommand };
    }
    case 'write': {
      const { writeOptions, writeCommand } = await import('./write-command.ts');
      return { options: writeOptions, run: writeCommand };
    }
    case 'watch': {
      const { watchOptions, watchCommand } = await import('./watch-command.ts');
      return { options: watchOptions, run: watchCommand };
    }
    case 'scan': {
      const { scanOptions, scanCommand } = await import('./scan-command.ts');
      return { options: scanOptions, run: scanCommand };
    }
    case 'export': {
      const { exportOptions, exportCommand } = await import('./export-command.ts');
      return { options: exportOptions, help: { yes: 'export-yes' }, run: exportCommand };
    }
    case 'import': {
      const { importOptions, importCommand } = await import('./import-command.ts');
      return { options: importOptions, help: { yes: 'import-yes' }, run: importCommand };
    }
    case 'check': {
      const { checkCommand } = await import('./check-command.ts');
      const { checkOptions } = await import('./check-plan.ts');
      return { options: checkOptions, help: { yes: 'export-yes' }, run: checkCommand };
    }
  }
}

/** Usage and options of a command. */
export function helpOf(name: CommandName, { options, help = {} }: Command, { own }: Speech): string {
  const all: Record<string, { readonly type: string }> = { ...options, ...COMMON_OPTIONS };
  const lines = Object.entries(all).map(([option, { type }]) => {
    const words = help[option] ?? (option as OptionWords);
    return [`  --${option}${type === 'string' ? ' …' : ''}`, own.option[words]] as const;
  });
  const width = lines.reduce((most, [text]) => Math.max(most, textWidth(text)), 0);
  return `${own.usage[name]}\n\n${own.options}\n${lines.map(([left, right]) => `${padded(left, width)}  ${right}\n`).join('')}`;
}
