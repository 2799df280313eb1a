import type { Channel, SerialPortInfo } from '#shared/contract/channels.ts';
import type { InputOf } from '#shared/contract/index.ts';
import type { FoundDevice, ScanRow } from '#shared/contract/jobs.ts';
import { isSerial, isServing, ProtocolType } from '#shared/domain/enums.ts';
import type { CliService } from './client.ts';
import { type CliContext, channelsOf, deviceNamed, note, writeJson, writeTable } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { misuse } from './fault.ts';
import { jobEnd } from './jobs.ts';

export const scanOptions = {
  port: { type: 'string' },
  ip: { type: 'string' },
  protocol: { type: 'string' },
  slaves: { type: 'boolean' },
  slave: { type: 'string' },
  first: { type: 'string' },
  last: { type: 'string' },
  function: { type: 'string' },
  start: { type: 'string' },
  quantity: { type: 'string' },
} as const;

const PROTOCOLS = {
  'modbus-tcp': ProtocolType.modbusTcp,
  'modbus-rtu': ProtocolType.modbusRtu,
  dlt645: ProtocolType.dlt645,
} as const;
const WORDS = Object.keys(PROTOCOLS) as (keyof typeof PROTOCOLS)[];
const SEARCHED: readonly number[] = Object.values(PROTOCOLS);
const PAGE = 10_000;

/** `scan`: serial ports, who answers on a line, or what the registers of a device hold. Exit code 3 where nothing answered. */
export async function scanCommand(context: CliContext): Promise<ExitCode> {
  const { options, words, speech, io } = context;
  options.most(1);
  options.excluding('port', 'ip');
  const [name] = words;
  const isLine = options.text('port') !== undefined || options.text('ip') !== undefined;
  if (isLine && name !== undefined) throw misuse(speech.own.scanWhat);
  if (isLine) {
    const target = lineGiven(context);
    return findDevices(context, await context.service(), target);
  }
  if (name === undefined) return listPorts(context, await context.service());
  const range = scanRange(context);
  const bounds = slaveBounds(context);
  const service = await context.service();
  const channel = deviceNamed(await channelsOf(service, io.signal), name, speech);
  if (options.has('slaves')) return findDevices(context, service, { ...lineOf(context, channel), ...bounds });
  return scanRegisters(context, service, channel, range);
}

async function listPorts(context: CliContext, service: CliService): Promise<ExitCode> {
  const { own } = context.speech;
  const ports = (await service.api.call('listSerialPorts', {}, context.io.signal)).data;
  if (context.isJson) await writeJson(context, ports);
  else {
    const id = ({ vendor_id, product_id }: SerialPortInfo) => (vendor_id && product_id ? `${vendor_id}:${product_id}` : '');
    await writeTable<SerialPortInfo>(
      context,
      [
        { head: own.columns.port, cell: ({ path }) => path },
        { head: own.columns.maker, cell: ({ manufacturer }) => manufacturer ?? '' },
        { head: own.columns.id, cell: id },
        { head: own.columns.usedBy, cell: ({ used_by }) => used_by ?? '' },
      ],
      ports,
      own.empty.ports,
    );
  }
  return EXIT.ok;
}

type FindInput = InputOf<'startFind'>;

function slaveBounds({ options }: CliContext): Pick<FindInput, 'first_slave' | 'last_slave'> {
  const first = options.whole('first', 0, 255);
  const last = options.whole('last', 0, 255);
  return { ...(first === undefined ? {} : { first_slave: first }), ...(last === undefined ? {} : { last_slave: last }) };
}

function lineGiven(context: CliContext): FindInput {
  const { options, speech } = context;
  const protocol = options.word('protocol', WORDS);
  if (!protocol) throw misuse(speech.fill(speech.own.scanProtocol, { words: WORDS.join(', ') }));
  const common = { protocol_type: PROTOCOLS[protocol], ...slaveBounds(context) };
  const com_port = options.text('port');
  if (com_port !== undefined) return { ...common, com_port };
  const [, ip = '', port] = /^(.*?)(?::(\d{1,5}))?$/.exec(options.text('ip') ?? '') ?? [];
  return { ...common, ip, ...(port === undefined ? {} : { port: Number(port) }) };
}

/** The line of a channel that asks. */
function lineOf({ speech }: CliContext, { name, protocol_type, conn_type, com_port, ip, port }: Channel): FindInput {
  if (isServing(conn_type) || !SEARCHED.includes(protocol_type)) throw misuse(speech.fill(speech.own.scanNoLine, { device: name }));
  return isSerial(conn_type) ? { protocol_type, com_port } : { protocol_type, ip, port };
}

async function findDevices(context: CliContext, service: CliService, line: FindInput): Promise<ExitCode> {
  const { speech, isJson } = context;
  const { own } = speech;
  const begun = (await service.api.call('startFind', line)).data;
  const { job, isStopped } = await jobEnd(context, service, begun);
  if (isStopped) note(context, own.scanStopped);
  for (const { text, code, params } of job.notes) note(context, speech.message({ code, params }, text));
  if (isJson) await writeJson(context, job);
  else {
    await writeTable<FoundDevice>(
      context,
      [
        { head: own.columns.address, side: 'right', cell: ({ address }) => address },
        { head: own.columns.line, cell: (each) => each.line },
        { head: own.columns.how, cell: ({ how }) => own.how[how] },
        { head: own.columns.latency, side: 'right', cell: ({ latency_ms }) => (latency_ms === null ? '' : latency_ms.toFixed(1)) },
        { head: own.columns.identity, cell: ({ identity }) => identity },
        { head: own.columns.about, cell: ({ detail, detail_message }) => speech.message(detail_message, detail) },
      ],
      job.findings,
      own.empty.found,
    );
  }
  return exitOf(context, isStopped, job.findings.length);
}

function scanRange({ options }: CliContext) {
  return {
    slave_id: options.whole('slave', 0, 999_999_999_999) ?? 1,
    func_codes: [options.whole('function', 1, 255) ?? 3],
    start: options.whole('start', 0, 65_535) ?? 0,
    quantity: options.whole('quantity', 1, 65_536) ?? 100,
  };
}

async function scanRegisters(
  context: CliContext,
  service: CliService,
  { id, status }: Channel,
  range: ReturnType<typeof scanRange>,
): Promise<ExitCode> {
  const { speech, isJson, io } = context;
  const { own } = speech;
  if (service.isOwn && status !== 'running') await service.api.call('startDevice', { channel_id: id }, io.signal);
  const begun = (await service.api.call('startScan', { channel_id: id, ...range })).data;
  const { job, isStopped } = await jobEnd(context, service, begun);
  const rows = await scanRows(service, job.id);
  if (isStopped) note(context, own.scanStopped);
  if (isJson) await writeJson(context, { ...job, rows });
  else {
    await writeTable<ScanRow>(
      context,
      [
        { head: own.columns.function, side: 'right', cell: ({ func_code }) => String(func_code) },
        { head: own.columns.address, side: 'right', cell: ({ address }) => String(address) },
        { head: own.columns.pointAddress, side: 'right', cell: ({ point_address }) => String(point_address) },
        { head: own.columns.hex, side: 'right', cell: ({ hex }) => hex },
        { head: own.columns.value, side: 'right', cell: ({ value }) => String(value) },
      ],
      rows,
      own.empty.found,
    );
    note(context, speech.fill(own.scanCount, { count: job.found, requests: job.requests }));
  }
  return exitOf(context, isStopped, rows.length);
}

async function scanRows({ api }: CliService, jobId: string): Promise<ScanRow[]> {
  const rows: ScanRow[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = (await api.call('scanRows', { job_id: jobId, page, page_size: PAGE })).data;
    rows.push(...items);
    if (items.length === 0 || rows.length >= total) return rows;
  }
}

function exitOf({ io }: CliContext, isStopped: boolean, found: number): ExitCode {
  if (isStopped) return io.signal.reason === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
  return found > 0 ? EXIT.ok : EXIT.notGood;
}
