import type { DoctorLayer } from '#shared/domain/doctor.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { asMessage, say } from '#shared/messages/index.ts';
import type { DriverExamination, ExaminationContext, LayerVerdict } from '../../../drivers/spi/examination.ts';
import type { DriverChannelSettings, FrameSink, PointConfig } from '../../../drivers/spi/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { NO_HEALTH, NO_SINK, ProbeLine } from '../../../runtime/connection/probe-line.ts';
import { containedClock } from '../../../runtime/contained.ts';
import type { SessionFacts } from '../../../runtime/types.ts';
import type { LineSettings, TransportFactory } from '../../../transport/types.ts';
import type { JobRecord } from '../job-record.ts';
import type { Asker } from './asker.ts';
import { showProgress } from './examination.ts';
import { encryptionFinding, type LineFinding, targetOf, tcpFinding, tlsFinding, type UsualPort } from './line-errors.ts';
import type { VerdictSheet } from './verdicts.ts';

/** After a connection was accepted: time for the device to close it again. A client certificate is refused behind the handshake too. */
const SETTLE_MS = 150;
const NO_BYTES = new Uint8Array(0);

export interface ConnectionExaminationOptions {
  readonly clock: Clock;
  readonly transports: TransportFactory;
  readonly examination: DriverExamination;
  readonly line: LineSettings;
  readonly usualPort: UsualPort;
  readonly settings: DriverChannelSettings;
  readonly points: readonly PointConfig[];
  readonly slaveIds: readonly number[];
  readonly frames: FrameSink;
  readonly facts: SessionFacts;
  /** Asks over the connection of a running channel; null on one that is not running. */
  readonly standing: Asker | null;
  readonly sheet: VerdictSheet;
  readonly job: JobRecord;
}

/** Examines a channel whose protocol talks over a connection: host, port and TLS here, the layers behind them by its driver. */
export class ConnectionExamination {
  readonly #options: ConnectionExaminationOptions;
  #line: ProbeLine | null = null;
  /** True until the driver has taken the line on which the port was judged. */
  #isFresh = false;

  constructor(options: ConnectionExaminationOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    try {
      if (this.#options.standing) this.#judgeStanding();
      else if (!(await this.#isReached())) return;
      await this.#examine();
    } finally {
      await this.#line?.close();
    }
  }

  #judgeStanding(): void {
    const { sheet, line } = this.#options;
    sheet.set('host', 'good', 'LINE_REACHED', { target: line.ip });
    sheet.set('port', 'good', 'LINE_STANDS');
    if (line.tls) sheet.set('tls', 'good', 'TLS_STANDS');
    else sheet.set('tls', 'skipped', 'TLS_OFF');
  }

  /** Judges host, port and TLS. False when one of them fails. */
  async #isReached(): Promise<boolean> {
    const { line, sheet, clock, job } = this.#options;
    const target = targetOf(line);
    showProgress(this.#options, say('jobs.connecting', { target }));
    const startedAt = clock.monotonicMs();
    const probe = await this.#openFirst();
    if (!probe) return false;
    const ms = Math.round(clock.monotonicMs() - startedAt);
    await probe.listen(SETTLE_MS, job.signal);
    const { ended } = probe;
    const refusal = ended?.kind === 'failed' ? tlsFinding(ended.error, line) : null;
    sheet.set('host', 'good', 'LINE_REACHED', { target: line.ip });
    if (ended && !refusal) {
      sheet.set('port', 'bad', 'LINE_DROPPED', { target });
      return false;
    }
    sheet.set('port', 'good', 'LINE_CONNECTED', { target, ms });
    if (refusal) this.#set('tls', 'bad', refusal);
    else if (!line.tls) sheet.set('tls', 'skipped', 'TLS_OFF');
    else {
      const found = encryptionFinding(probe.encryption, line, clock.wallMs());
      this.#set('tls', found.code === 'TLS_GOOD' ? 'good' : 'warning', found);
    }
    showProgress(this.#options);
    return refusal === null;
  }

  /** Opens the first line; judges what keeps it from opening. */
  async #openFirst(): Promise<ProbeLine | null> {
    const { line, job } = this.#options;
    try {
      this.#isFresh = true;
      return await this.#open(line);
    } catch (thrown) {
      job.checkpoint();
      const error = toAppError(thrown);
      if (error.code === 'INTERNAL') throw error;
      await this.#judgeClosed(error);
      return null;
    }
  }

  async #judgeClosed(error: AppError): Promise<void> {
    const { line, sheet, usualPort } = this.#options;
    const target = targetOf(line);
    if (error.code === 'CONFIG_INVALID' && line.tls) {
      if (await this.#isOpenWithoutTls()) sheet.set('tls', 'bad', 'TLS_MATERIAL', { detail: error.said });
      return;
    }
    const encryption = tlsFinding(error, line);
    if (encryption) {
      sheet.set('host', 'good', 'LINE_REACHED', { target: line.ip });
      sheet.set('port', 'good', 'LINE_ACCEPTED', { target });
      this.#set('tls', 'bad', encryption);
      return;
    }
    const found = tcpFinding(error, line, usualPort);
    if (found.code === 'LINE_REFUSED') sheet.set('host', 'good', 'LINE_REACHED', { target: line.ip });
    if (found.code === 'LINE_TIMEOUT') sheet.set('host', 'warning', 'LINE_UNPROVED', { target: line.ip });
    const isPort = found.code === 'LINE_REFUSED' || found.code === 'LINE_TIMEOUT';
    this.#set(isPort ? 'port' : 'host', 'bad', found);
  }

  /** The own certificates are read before anything is sent, so host and port are judged by a connection without them. */
  async #isOpenWithoutTls(): Promise<boolean> {
    const { tls: _, ...plain } = this.#options.line;
    const { sheet, job } = this.#options;
    try {
      await this.#open(plain);
    } catch (thrown) {
      job.checkpoint();
      await this.#judgeClosed(toAppError(thrown));
      return false;
    }
    sheet.set('host', 'good', 'LINE_REACHED', { target: plain.ip });
    sheet.set('port', 'good', 'LINE_ACCEPTED', { target: targetOf(plain) });
    return true;
  }

  async #examine(): Promise<void> {
    const { examination, job, sheet } = this.#options;
    try {
      for await (const verdict of examination.examine(this.#context())) {
        job.checkpoint();
        this.#enter(verdict);
        if (verdict.state === 'bad') return;
      }
    } catch (thrown) {
      job.checkpoint();
      const error = toAppError(thrown);
      if (error.code === 'CANCELLED' || error.code === 'INTERNAL' || error.code === 'STATE_NOT_STARTED') throw error;
      const layer = sheet.next;
      if (layer) sheet.set(layer, 'bad', 'LAYER_FAILED', { detail: error.said });
    }
  }

  #enter({ layer, state, code, params, notes }: LayerVerdict): void {
    const { sheet } = this.#options;
    sheet.set(layer, state, code, params);
    for (const note of notes ?? []) sheet.note(layer, note.code, note.params);
    showProgress(this.#options);
  }

  #set(layer: DoctorLayer, state: 'good' | 'warning' | 'bad', { code, params }: LineFinding): void {
    this.#options.sheet.set(layer, state, code, params);
  }

  #context(): ExaminationContext {
    const { settings, points, slaveIds, frames, facts, standing, job, line } = this.#options;
    // what a callback of the driver throws ends the line, and the layer under way with it
    const clock = containedClock(this.#options.clock, ({ said }) => {
      frames.record({ kind: 'note', bytes: NO_BYTES, text: said });
      void this.#line?.close();
    });
    const { secrets, document, memory } = facts;
    return {
      clock,
      settings,
      points,
      slaveIds,
      signal: job.signal,
      frames,
      standing: standing && { ask: (exchange) => standing.ask(exchange), memory },
      open: async () => {
        if (standing) throw new AppError('STATE_CONFLICT', say('jobs.second_connection'));
        const first = this.#isFresh && !this.#line?.ended ? this.#line : null;
        this.#isFresh = false;
        return first ?? (await this.#open(line));
      },
      ioOf: (opened, protocol = {}) => ({
        clock,
        settings: { ...settings, protocol: { ...settings.protocol, ...protocol } },
        points,
        sink: NO_SINK,
        frames,
        health: NO_HEALTH,
        line: opened,
        memory: new Map(),
        document,
        secrets,
      }),
      show: (activity) => showProgress(this.#options, asMessage(activity)),
    };
  }

  /** Opens a line in place of the one before. Rejects as the opening does. */
  async #open(settings: LineSettings): Promise<ProbeLine> {
    const { clock, transports, job } = this.#options;
    await this.#line?.close();
    const line = new ProbeLine(transports.connector(settings), clock);
    this.#line = line;
    await line.open(job.signal);
    return line;
  }
}
