import type { Point } from '#shared/contract/points.ts';
import { type CliContext, note, writeJson, writeTable } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { afterFirstReading, type ChosenPoints, choosePoints, readFresh, requireFew, startOwnChannels, valueText } from './points.ts';

export const readOptions = { device: { type: 'string' }, fresh: { type: 'boolean' }, timeout: { type: 'string' } } as const;

const LONGEST_S = 240;

/** `read`: values from memory, with `--fresh` from the device. In a service of our own nothing was read yet, so it is always fresh but in the demo, which reads by itself. Exit code 3 where not all are good. */
export async function readCommand(context: CliContext): Promise<ExitCode> {
  const { options, words, io } = context;
  const timeout = options.whole('timeout', 1, LONGEST_S) ?? 30;
  const service = await context.service();
  const chosen = await choosePoints(context, service, words);
  const isFresh = options.has('fresh') || (service.isOwn && !service.isDemo);
  if (!isFresh) {
    return show(context, chosen, service.isOwn ? await afterFirstReading(context, service, chosen) : chosen.points, null);
  }
  requireFew(context, chosen.points.length);
  await startOwnChannels(service, chosen, io.signal);
  const { items, task, isComplete } = await readFresh(service, chosen, timeout * 1000, io.signal);
  if (!isComplete) note(context, context.speech.fill(context.speech.own.taskLeft, { seconds: timeout }));
  const code = await show(context, chosen, items, task);
  return isComplete ? code : EXIT.notGood;
}

async function show(context: CliContext, { deviceOf }: ChosenPoints, points: readonly Point[], task: unknown): Promise<ExitCode> {
  const { speech, isJson } = context;
  const { columns, empty } = speech.own;
  if (isJson) await writeJson(context, { items: points.map((point) => ({ device_name: deviceOf(point), ...point })), task });
  else {
    await writeTable<Point>(
      context,
      [
        { head: columns.device, cell: deviceOf },
        { head: columns.code, cell: ({ code }) => code },
        { head: columns.name, cell: ({ name }) => name },
        { head: columns.value, side: 'right', cell: valueText },
        { head: columns.unit, cell: ({ unit }) => unit },
        { head: columns.quality, cell: ({ quality }) => speech.page.quality[quality] ?? quality },
        { head: columns.time, cell: ({ updated_at }) => updated_at ?? '' },
        { head: columns.trouble, cell: ({ error, error_message }) => (error === null ? '' : speech.message(error_message, error)) },
      ],
      points,
      empty.points,
    );
  }
  return points.every(({ quality }) => quality === 'good') ? EXIT.ok : EXIT.notGood;
}
