import { type CliContext, channelsOf, deviceNamed, writeJson } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { misuse } from './fault.ts';
import { requireFree, writeGiven } from './files.ts';

export const exportOptions = { out: { type: 'string' }, format: { type: 'string' }, yes: { type: 'boolean' } } as const;

/** `export`: the point table of a device as xlsx or csv, into a file or with `--out -` to the standard output. */
export async function exportCommand(context: CliContext): Promise<ExitCode> {
  const { options, words, speech, io, isJson } = context;
  const { own, fill } = speech;
  options.most(1);
  const [name] = words;
  if (name === undefined) throw misuse(fill(own.needsDevice, { command: 'export' }));
  const given = options.text('out');
  const format = options.word('format', ['xlsx', 'csv']) ?? (given !== undefined && /\.csv$/i.test(given) ? 'csv' : 'xlsx');
  const isReplaced = options.has('yes');
  if (given !== undefined && given !== '-') requireFree(given, isReplaced, speech);
  const service = await context.service();
  const device = deviceNamed(await channelsOf(service, io.signal), name, speech);
  const file = (await service.api.call('exportPoints', { channel_id: device.id, format }, io.signal)).data;
  if (given === '-') {
    await io.out(file.bytes);
    return EXIT.ok;
  }
  // the name comes from elsewhere: it stays in this folder
  const path = given ?? file.name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_');
  requireFree(path, isReplaced, speech);
  await writeGiven(path, file.bytes, isReplaced, speech);
  const count = file.bytes.byteLength;
  if (isJson) await writeJson(context, { device_name: device.name, file: path, format, octets: count });
  else await io.out(`${fill(own.exported, { count, device: device.name, file: path })}\n`);
  return EXIT.ok;
}
