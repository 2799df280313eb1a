import type { FindBody, ScanBody } from '#shared/contract/jobs.ts';
import { isServing } from '#shared/domain/enums.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { isListening } from '#shared/domain/listening.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverDiagnostics } from '../../drivers/spi/diagnostics.ts';
import { listensOnly } from '../../runtime/not-started.ts';
import { portOf, portsCollide } from '../../runtime/settings.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { checkChannelSettings } from '../channel-settings.ts';
import type { CallContext, Handlers } from '../handlers.ts';
import { findChannel } from '../lookup.ts';
import { maskedHex } from '../masking.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { DoctorWork } from './doctor/doctor-work.ts';
import { FindWork } from './find/find-work.ts';
import { channelBody, type FindSetting } from './find/settings.ts';
import { identityText, readIdentity } from './identity.ts';
import { hex16, scanCsv } from './scan/scan-csv.ts';
import { ScanWork } from './scan/scan-work.ts';
import { tableCsv } from './table/table-csv.ts';
import { recordRow } from './table/table-records.ts';
import { TableProbe } from './table/table-work.ts';

type JobHandlers = Pick<
  Handlers,
  | 'startDoctor'
  | 'startFind'
  | 'startScan'
  | 'startTableJob'
  | 'jobStatus'
  | 'listJobs'
  | 'cancelJob'
  | 'scanRows'
  | 'scanCsv'
  | 'tableJobRows'
  | 'tableJobCsv'
  | 'identifyDevice'
>;

const HIGHEST_ADDRESS = 65_535;
/** A setting of a search that only its channel is wanted of. */
const OVER_TCP: FindSetting = { baudRate: null, format: null, timeoutMs: 1 };

/** Operations that somebody asks for by name and that take their time: doctor, search, scan; and the identification of a device. */
export function jobHandlers(deps: ServiceDeps): JobHandlers {
  const session = () => deps.projects.current();
  const { clock, transports } = deps;
  const listPorts = async () => (await deps.listSerialPorts()).map((port) => port.path);
  return {
    startDoctor({ channel_id, slave_ids, listen_ms }) {
      const { jobs, channels } = session();
      const channel = findChannel(session(), channel_id);
      if (isListening(channel.settings)) throw listensOnly(channel.settings.name);
      const request = { slaveIds: slave_ids, listenMs: listen_ms };
      return jobs.start({ kind: 'doctor', target: `channel ${channel_id}`, channelId: channel_id }, () => {
        return new DoctorWork({ clock, transports, channels, listPorts }, channel, request);
      });
    },
    async startFind(request, context) {
      await deps.drivers.load?.(request.protocol_type);
      const { driver, diagnostics, port } = checkFind(request, deps, context);
      if (port !== null) requireNoListener(session(), port);
      const target = port ?? `${request.ip}:${channelBody(request, OVER_TCP).port}`;
      return session().jobs.start({ kind: 'find', target, channelId: null }, () => {
        const release = port === null ? () => undefined : session().channels.holdPort(port, 'the search of this line');
        return new FindWork({ clock, transports, driver, diagnostics, release }, request);
      });
    },
    startScan(request) {
      const channel = findChannel(session(), request.channel_id);
      const { scanFunctions } = requireDiagnostics(channel);
      if (scanFunctions.length === 0) {
        const { name } = protocolFacts(channel.settings.protocol_type);
        throw invalidField('channel_id', say('jobs.no_registers', { protocol: name }));
      }
      checkScan(
        request,
        scanFunctions.map((item) => item.code),
      );
      requireRunning(channel);
      return session().jobs.start({ kind: 'scan', target: `channel ${channel.id}`, channelId: channel.id }, () => {
        return new ScanWork({ functions: scanFunctions, ask: (exchange, signal) => channel.diagnose(exchange, signal) }, request);
      });
    },
    startTableJob(request) {
      const channel = findChannel(session(), request.channel_id);
      requireClient(channel);
      if (channel.points.size === 0) throw invalidField('channel_id', say('jobs.table_empty'));
      requireRunning(channel);
      return session().jobs.start({ kind: 'table', target: `channel ${channel.id}`, channelId: channel.id }, () => {
        return new TableProbe(channel, clock, request);
      });
    },
    jobStatus: ({ job_id }) => session().jobs.get(job_id),
    listJobs: ({ channel_id, kind }) => session().jobs.list({ channelId: channel_id, kind }),
    cancelJob: ({ job_id }) => session().jobs.cancel(job_id),
    scanRows({ job_id, page, page_size }) {
      const { values, request } = scanOf(session(), job_id);
      const base = session().channels.get(request.channel_id)?.settings.address_base ?? 0;
      const items = values.page((page - 1) * page_size, page_size).map(({ scanned, address, value }) => ({
        func_code: scanned.code,
        address,
        point_address: address + base,
        hex: scanned.isBit ? String(value) : hex16(value),
        value,
      }));
      return { total: values.size, items };
    },
    scanCsv({ job_id }) {
      const { values, request } = scanOf(session(), job_id);
      const name = session().channels.get(request.channel_id)?.settings.name ?? 'scan';
      return { name: `${name} slave ${request.slave_id}.csv`, mediaType: 'text/csv', bytes: scanCsv(values) };
    },
    tableJobRows({ job_id, page, page_size, show }) {
      const rows = probeOf(session(), job_id).records.shown(show);
      return { total: rows.length, items: rows.slice((page - 1) * page_size, page * page_size).map(recordRow) };
    },
    async tableJobCsv({ job_id }) {
      const probe = probeOf(session(), job_id);
      return { name: `${probe.channelName} table.csv`, mediaType: 'text/csv', bytes: await tableCsv(probe.records.all) };
    },
    async identifyDevice({ channel_id, slave_id }) {
      const channel = findChannel(session(), channel_id);
      requireDiagnostics(channel);
      const never = new AbortController().signal;
      const identity = await readIdentity(slave_id, (exchange) => channel.diagnose(exchange, never));
      const objects = identity.objects.map(({ id, name, octets, text }) => ({
        id,
        name,
        text: text ?? identityText(octets),
        hex: maskedHex(octets, []),
      }));
      return { slave_id, conformity: identity.conformity, objects };
    },
  };
}

/** Throws `STATE_CONFLICT` where a channel only listens at this port: another master is at work there. */
function requireNoListener({ channels }: ProjectSession, port: string): void {
  for (const { settings, driver } of channels.list()) {
    const held = isListening(settings) ? portOf(settings, driver) : null;
    if (held === null || !portsCollide(held, port)) continue;
    throw new AppError('STATE_CONFLICT', say('listen.port', { channel: settings.name, port: settings.com_port ?? '' }));
  }
}

/** Throws `CONFIG_INVALID` for a channel that serves. */
function requireClient({ settings }: ChannelRuntime): void {
  if (isServing(settings.conn_type)) throw invalidField('channel_id', say('jobs.needs_client'));
  if (isListening(settings)) throw listensOnly(settings.name);
}

/** Throws `CONFIG_INVALID` for a channel that serves, or whose protocol has no diagnostics. */
function requireDiagnostics(channel: ChannelRuntime): DriverDiagnostics {
  const { diagnostics } = channel.driver;
  requireClient(channel);
  if (!diagnostics) {
    const { name } = protocolFacts(channel.settings.protocol_type);
    throw invalidField('channel_id', say('jobs.no_such', { protocol: name }));
  }
  return diagnostics;
}

function checkScan({ func_codes, start, quantity }: ScanBody, known: readonly number[]): void {
  const unknown = func_codes.filter((code) => !known.includes(code));
  if (unknown.length > 0) throw invalidField('func_codes', say('jobs.functions', { unknown, known }));
  if (start + quantity - 1 > HIGHEST_ADDRESS) {
    throw invalidField('quantity', say('jobs.range', { highest: HIGHEST_ADDRESS, most: HIGHEST_ADDRESS + 1 - start, start }));
  }
}

/** Checks what one field alone cannot say. `port` is the serial port as the runtime names held ports, null over TCP. */
function checkFind(request: FindBody, deps: ServiceDeps, context: CallContext) {
  if (request.first_slave > request.last_slave) {
    throw invalidField('last_slave', say('jobs.last_slave', { first: request.first_slave }));
  }
  const format = request.formats?.[0] ?? '8N1';
  const setting = request.com_port === null ? OVER_TCP : { baudRate: request.baud_rates?.[0] ?? 9600, format, timeoutMs: 1 };
  const { settings, driver } = checkChannelSettings(channelBody(request, setting), deps.drivers, context);
  const { diagnostics } = driver;
  if (!diagnostics) {
    throw invalidField('protocol_type', say('jobs.no_search', { protocol: protocolFacts(request.protocol_type).name }));
  }
  const { least, most } = diagnostics.addresses;
  if (!diagnostics.wildcards && (request.last_slave < least || request.first_slave > most)) {
    throw invalidField('first_slave', say('jobs.addresses', { least, most }));
  }
  return { driver, diagnostics, port: portOf(settings, driver) };
}

function scanOf(session: ProjectSession, jobId: string): ScanWork {
  const work = session.jobs.workOf(jobId);
  if (work instanceof ScanWork) return work;
  throw new AppError('CONFIG_NOT_FOUND', say('jobs.no_scan_job', { id: jobId }));
}

function probeOf(session: ProjectSession, jobId: string): TableProbe {
  const work = session.jobs.workOf(jobId);
  if (work instanceof TableProbe) return work;
  throw new AppError('CONFIG_NOT_FOUND', say('jobs.no_table_job', { id: jobId }));
}

/** Throws `STATE_NOT_STARTED`, or `TRANSPORT_NOT_CONNECTED` while a connection is looked for. */
function requireRunning(channel: ChannelRuntime): void {
  const { status, lastError } = channel.state();
  if (status === 'reconnecting') throw new AppError('TRANSPORT_NOT_CONNECTED', say('runtime.no_connection', { reason: lastError ?? '' }));
  if (status !== 'running') throw notStarted(channel);
}

function notStarted(channel: ChannelRuntime): AppError {
  return new AppError(
    'STATE_NOT_STARTED',
    say('jobs.start_first', { channel: channel.settings.name, status: say(`runtime.status_${channel.state().status}`) }),
  );
}
