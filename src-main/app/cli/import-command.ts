import type { ImportReport, TableChange, TableIssue } from '#shared/contract/point-files.ts';
import { type CliContext, channelsOf, deviceNamed, note, writeJson, writeTable } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { misuse } from './fault.ts';
import { readGiven } from './files.ts';

export const importOptions = { mode: { type: 'string' }, yes: { type: 'boolean' } } as const;

/** Rows of one list on the screen; JSON has all that the service tells. */
const MOST_SHOWN = 100;

/** `import`: shows the errors of a point table and what it would change; with `--yes` it is done, all or none. Exit code 3 for a file with errors. */
export async function importCommand(context: CliContext): Promise<ExitCode> {
  const { options, words, speech, io, isJson } = context;
  const { own, fill } = speech;
  options.most(2);
  const [name, path] = words;
  if (name === undefined) throw misuse(fill(own.needsDevice, { command: 'import' }));
  if (path === undefined) throw misuse(own.needsFile);
  const mode = options.word('mode', ['merge', 'replace']) ?? 'merge';
  const file = await readGiven(path, speech);
  const service = await context.service();
  const { id } = deviceNamed(await channelsOf(service, io.signal), name, speech);
  const isDone = options.has('yes');
  const request = { channel_id: id, mode: isDone ? mode : 'preview', file } as const;
  // what was begun is not taken back by Ctrl+C, so its answer is waited for
  const report = (await service.api.call('importPoints', request, isDone ? undefined : io.signal)).data;
  const errors = report.errors.filter((issue) => concerns(issue, mode));
  if (isJson) await writeJson(context, report);
  else await tell(context, report, errors, mode);
  return errors.length > 0 || report.foreign || (isDone && !report.applied) ? EXIT.notGood : EXIT.ok;
}

const concerns = ({ only }: Pick<TableIssue, 'only'>, mode: 'merge' | 'replace') => only === null || only === mode;

async function tell(context: CliContext, report: ImportReport, errors: readonly TableIssue[], mode: 'merge' | 'replace'): Promise<void> {
  const { speech, io } = context;
  const { own, fill } = speech;
  await tellIssues(context, errors);
  const warnings = report.warnings.filter((issue) => concerns(issue, mode));
  if (warnings.length > 0) {
    await io.out(`${fill(own.importWarnings, { count: warnings.length })}\n`);
    await tellIssues(context, warnings);
  }
  if (report.foreign) note(context, own.importForeign);
  if (errors.length > 0 || report.foreign) {
    await io.out(`${fill(own.importErrors, { count: Math.max(errors.length, report.counts.errors) })}\n`);
    return;
  }
  const tally = report.counts[mode];
  await tellChanges(
    context,
    report.changes.filter((change) => change.only === null || change.only === mode),
  );
  if (tally) await io.out(`${fill(own.importPreview, { mode, ...tally })}\n`);
  await io.out(`${report.applied ? own.importDone : own.importNotYet}\n`);
}

async function tellIssues(context: CliContext, issues: readonly TableIssue[]): Promise<void> {
  if (issues.length === 0) return;
  const { columns } = context.speech.own;
  await writeTable<TableIssue>(
    context,
    [
      { head: columns.sheet, cell: ({ sheet }) => sheet },
      { head: columns.row, side: 'right', cell: ({ row }) => (row === null ? '' : String(row)) },
      { head: columns.column, cell: ({ column }) => column },
      { head: columns.what, cell: (issue) => issueText(context, issue) },
    ],
    issues.slice(0, MOST_SHOWN),
    '',
  );
  await tellMore(context, issues.length);
}

async function tellMore({ io, speech }: CliContext, count: number): Promise<void> {
  if (count > MOST_SHOWN) await io.out(`${speech.fill(speech.own.moreRows, { count: count - MOST_SHOWN })}\n`);
}

/** The service says it in English; the pages have the sentences of each rule. */
function issueText({ speech }: CliContext, { rule, params, message }: TableIssue): string {
  const template = speech.language === 'en' ? undefined : speech.page.rule[rule];
  if (template === undefined) return message;
  return speech.fill(template, Object.fromEntries(Object.entries(params).map(([name, param]) => [name, speech.param(param)])));
}

async function tellChanges(context: CliContext, changes: readonly TableChange[]): Promise<void> {
  if (changes.length === 0) return;
  const { columns, change } = context.speech.own;
  const text = (value: unknown) => (value === null ? '' : String(value));
  const fields = ({ fields: all }: TableChange) =>
    all.map(({ field, before, after }) => `${field}: ${text(before)} -> ${text(after)}`).join(', ');
  await writeTable<TableChange>(
    context,
    [
      { head: columns.change, cell: ({ kind }) => change[kind] },
      { head: columns.code, cell: ({ code }) => code },
      { head: columns.name, cell: ({ name }) => name },
      { head: columns.address, side: 'right', cell: ({ reference, address }) => reference || String(address) },
      { head: columns.about, cell: fields },
    ],
    changes.slice(0, MOST_SHOWN),
    '',
  );
  await tellMore(context, changes.length);
}
