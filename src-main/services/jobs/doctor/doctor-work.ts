import type { Channel } from '#shared/contract/channels.ts';
import type { DoctorJob } from '#shared/contract/jobs.ts';
import { ASKING_LAYERS, CONNECTION_LAYERS } from '#shared/domain/doctor.ts';
import { isServing } from '#shared/domain/enums.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverExamination } from '../../../drivers/spi/examination.ts';
import type { FrameSink } from '../../../drivers/spi/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { portOf, toDriverSettings, toLineSettings } from '../../../runtime/settings.ts';
import type { ChannelRuntime } from '../../../runtime/types.ts';
import type { TransportFactory } from '../../../transport/types.ts';
import type { ChannelHub } from '../../ports.ts';
import type { JobWork } from '../job-board.ts';
import type { JobRecord } from '../job-record.ts';
import { judgeAddresses } from './address-verdict.ts';
import { addressText, probeAddresses } from './addresses.ts';
import { askerOf } from './asker.ts';
import { ConnectionExamination } from './connection-examination.ts';
import { judgeAnswered, type Patient, showProgress } from './examination.ts';
import { formatOf, targetOf, type UsualPort } from './line-errors.ts';
import { OwnLineExamination } from './own-line.ts';
import { hasAnswer, hasLate } from './probe-opener.ts';
import { VerdictSheet } from './verdicts.ts';

/** Addresses of the point table that are asked. */
const MAX_ADDRESSES = 8;
/** Number of the connection in the frame log under which the doctor's own lines are entered. */
const DOCTOR_CONNECTION = 0;

export interface DoctorDeps {
  readonly clock: Clock;
  readonly transports: TransportFactory;
  readonly channels: ChannelHub;
  readonly listPorts: () => Promise<readonly string[]>;
}

export interface DoctorRequest {
  readonly slaveIds: readonly number[];
  readonly listenMs: number;
}

/** The connection doctor on one channel. */
export class DoctorWork implements JobWork<DoctorJob> {
  readonly #deps: DoctorDeps;
  readonly #channel: ChannelRuntime;
  readonly #request: DoctorRequest;
  readonly #sheet: VerdictSheet;
  readonly #release: () => void;
  readonly #isStanding: boolean;

  /**
   * Takes the serial port of a stopped channel at once. Throws `CONFIG_INVALID` for a channel that serves or whose protocol has no diagnostics,
   * `STATE_CONFLICT` while its line is neither closed nor standing, `TRANSPORT_PORT_TAKEN` when another channel holds the port.
   */
  constructor(deps: DoctorDeps, channel: ChannelRuntime, request: DoctorRequest) {
    this.#deps = deps;
    this.#channel = channel;
    this.#request = request;
    requireClient(channel);
    const { examination } = channel.driver;
    this.#sheet = new VerdictSheet(examination ? [...CONNECTION_LAYERS, ...examination.layers] : ASKING_LAYERS);
    const { status } = channel.state();
    this.#isStanding = status === 'running';
    const port = portOf(channel.settings, channel.driver);
    if (status !== 'running' && status !== 'stopped' && status !== 'error' && port !== null) {
      throw new AppError(
        'STATE_CONFLICT',
        say('jobs.channel_busy', { channel: channel.settings.name, status: say(`runtime.status_${status}`) }),
      );
    }
    const isOpened = !this.#isStanding && port !== null && channel.settings.com_port !== null;
    this.#release = isOpened ? deps.channels.holdPort(port, `the connection doctor of "${channel.settings.name}"`) : () => undefined;
  }

  async run(job: JobRecord): Promise<void> {
    try {
      const progress = { job, sheet: this.#sheet };
      showProgress(progress);
      const { examination } = this.#channel.driver;
      if (examination) await this.#examineConnection(examination, job);
      else if (this.#isStanding) await this.#examineStanding(this.#patient(job));
      else await this.#examineOwnLine(this.#patient(job));
      this.#sheet.finish();
      showProgress(progress, null);
    } finally {
      this.#release();
    }
  }

  snapshot(job: JobRecord): DoctorJob {
    return { ...job.facts(), kind: 'doctor', layers: [...this.#sheet.layers], findings: this.#sheet.list() };
  }

  #patient(job: JobRecord): Patient {
    const { driver, settings, points } = this.#channel;
    const { diagnostics } = driver;
    if (!diagnostics) throw new AppError('INTERNAL', say('jobs.no_diagnostics'));
    const configs = points.configs();
    const ofTable = [...new Set(configs.map((point) => point.slave_id))]
      .filter((id) => id >= diagnostics.addresses.least)
      .slice(0, MAX_ADDRESSES);
    const wanted = this.#request.slaveIds.length > 0 ? [...new Set(this.#request.slaveIds)] : ofTable;
    return {
      driver,
      diagnostics,
      ...usualPortOf(settings.protocol_type),
      settings: toDriverSettings(settings, driver),
      points: configs,
      slaveIds: wanted.length > 0 ? wanted : diagnostics.addresses.usual.slice(0, 1),
      sheet: this.#sheet,
      job,
    };
  }

  async #examineOwnLine(patient: Patient): Promise<void> {
    const { clock, transports, listPorts } = this.#deps;
    const { settings } = this.#channel;
    const examination = new OwnLineExamination(patient, {
      clock,
      transports,
      line: toLineSettings(settings, this.#channel.driver),
      frames: this.#frames(),
      listPorts,
      listenMs: this.#request.listenMs,
    });
    await examination.run();
  }

  async #examineConnection(examination: DriverExamination, job: JobRecord): Promise<void> {
    const { clock, transports } = this.#deps;
    const channel = this.#channel;
    const { settings, driver } = channel;
    await new ConnectionExamination({
      clock,
      transports,
      examination,
      line: toLineSettings(settings, driver),
      usualPort: usualPortOf(settings.protocol_type),
      settings: toDriverSettings(settings, driver),
      points: channel.points.configs(),
      slaveIds: [...new Set(this.#request.slaveIds)],
      frames: this.#frames(),
      facts: channel.sessionFacts(),
      standing: this.#isStanding ? askerOf(channel, job.signal) : null,
      sheet: this.#sheet,
      job,
    }).run();
  }

  /** Frames of lines that the doctor has opened itself. */
  #frames(): FrameSink {
    const { frames } = this.#channel;
    return {
      record: (entry) => frames.record({ ...entry, connection: DOCTOR_CONNECTION, peer: 'connection doctor' }),
    };
  }

  /** Of a running channel the line stands; it is asked between the exchanges of its tasks. */
  async #examineStanding(patient: Patient): Promise<void> {
    const { sheet, job, diagnostics, settings, slaveIds } = patient;
    const line = toLineSettings(this.#channel.settings, this.#channel.driver);
    if (line.kind === 'udp') sheet.set('line', 'skipped', 'LINE_DATAGRAMS', { target: targetOf(line) });
    else sheet.set('line', 'good', 'LINE_STANDS');
    const asker = askerOf(this.#channel, job.signal);
    const round = await probeAddresses(slaveIds, {
      asker,
      diagnostics,
      settings,
      job,
      clock: this.#deps.clock,
      settle: async () => undefined,
    });
    const lost = round.probes.find(({ error }) => error?.code.startsWith('TRANSPORT_'))?.error;
    // the adapter was pulled meanwhile
    if (lost && line.kind === 'serial') throw lost;
    if (hasAnswer(round)) {
      await judgeAnswered(round, asker, patient);
      return;
    }
    const seen = diagnostics.recognise(round.heard, round.sent, settings);
    const asked = slaveIds.map((slaveId) => addressText(slaveId, diagnostics)).join(', ');
    const counts = { asked: slaveIds.length, ms: settings.timeoutMs };
    if (round.heard.length > 0) sheet.set('bytes', 'good', 'BYTES_SEEN', { count: round.heard.length });
    else if (line.kind === 'udp') sheet.set('bytes', 'bad', 'BYTES_NONE_UDP', { target: targetOf(line), ...counts });
    else if (line.kind === 'tcp' && lost) sheet.set('bytes', 'bad', 'BYTES_CLOSED');
    else if (line.kind === 'tcp') sheet.set('bytes', 'bad', 'BYTES_NONE_TCP', counts);
    else sheet.set('bytes', 'bad', 'BYTES_NONE_SERIAL', { port: targetOf(line), format: formatOf(line), ...counts });
    if (seen.frames > 0) sheet.set('framing', 'good', 'FRAMING_GOOD', { frames: seen.frames, protocol: patient.protocol });
    else if (round.heard.length > 0)
      sheet.set('framing', 'bad', 'FRAMING_NOISE', { count: round.heard.length, protocol: patient.protocol });
    if (hasLate(round)) judgeAddresses(round, sheet, diagnostics, settings);
    else sheet.set('address', 'bad', 'ADDRESS_SILENT', { asked });
  }
}

function usualPortOf(type: Channel['protocol_type']): UsualPort {
  const { name, defaultPort } = protocolFacts(type);
  return { protocol: name, usual: defaultPort };
}

function requireClient(channel: ChannelRuntime): void {
  if (isServing(channel.settings.conn_type)) {
    throw invalidField('channel_id', say('jobs.doctor_serves'));
  }
  if (!channel.driver.diagnostics && !channel.driver.examination) {
    throw invalidField('channel_id', say('jobs.doctor_none', { protocol: protocolFacts(channel.settings.protocol_type).name }));
  }
}
