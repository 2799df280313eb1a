import { toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Recognition } from '../../../drivers/spi/diagnostics.ts';
import type { ProbeLine } from '../../../runtime/connection/probe-line.ts';
import type { LineSettings } from '../../../transport/types.ts';
import { judgeAddresses, suggestedTimeout } from './address-verdict.ts';
import { type AddressRound, addressText } from './addresses.ts';
import { judgeAnswered, type Patient, readableOf, showProgress } from './examination.ts';
import { otherFormats } from './formats.ts';
import { formatOf, serialFinding, targetOf, tcpFinding } from './line-errors.ts';
import { guessLine } from './line-format.ts';
import { LEAST_TRAFFIC, listenOn } from './listening.ts';
import { hasAnswer, hasLate, type OwnLineOptions, ProbeOpener } from './probe-opener.ts';
import { Silence } from './silence.ts';
import { examineTable } from './table.ts';

/** After a connection was accepted: time for a greeting, or for the device to close it again. */
const GREETING_MS = 150;

/** Examines a channel that is not started, over lines that are opened for it. Only reads are sent. */
export class OwnLineExamination {
  readonly #patient: Patient;
  readonly #options: OwnLineOptions;
  readonly #opener: ProbeOpener;
  readonly #silence: Silence;

  constructor(patient: Patient, options: OwnLineOptions) {
    this.#patient = patient;
    this.#options = options;
    this.#opener = new ProbeOpener(patient, options);
    this.#silence = new Silence(this.#opener);
  }

  async run(): Promise<void> {
    const { sheet, slaveIds } = this.#patient;
    const { line: set } = this.#options;
    if (this.#opener.isSerial && !set.comPort) {
      sheet.set('line', 'bad', 'PORT_NOT_SET');
      return;
    }
    if (this.#opener.isSerial && !(await this.#isFreeLine())) return;
    let hasClosed = false;
    let isRefused = false;
    const round = await this.#openSet(async (line) => {
      if (!this.#opener.isSerial && !(await this.#isQuietPeer(line))) return null;
      const asked = await this.#opener.probe(line, slaveIds, async (done, asker) => {
        if (hasAnswer(done)) await judgeAnswered(done, asker, this.#patient);
        return done;
      });
      hasClosed = line.ended !== null;
      isRefused = line.trouble?.code === 'TRANSPORT_REFUSED';
      return asked;
    });
    if (!round || hasAnswer(round)) return;
    if (hasLate(round)) await this.#examineSlow(round);
    else if (isRefused && round.heard.length === 0) sheet.set('bytes', 'bad', 'BYTES_UDP_REFUSED', { target: targetOf(set) });
    else await this.#silence.explain(round, hasClosed);
  }

  /** Every answer came too late: the table is tried with a timeout that suits them. */
  async #examineSlow(round: AddressRound): Promise<void> {
    const patient = this.#patient;
    const { sheet, diagnostics, settings, protocol } = patient;
    const seen = this.#opener.recognise(round.heard, round.sent);
    sheet.set('bytes', 'good', 'BYTES_SEEN', { count: round.heard.length });
    sheet.set('framing', 'good', 'FRAMING_GOOD', { frames: seen.frames, protocol });
    judgeAddresses(round, sheet, diagnostics, settings);
    const late = round.probes.filter(({ lateMs }) => lateMs !== null);
    const timeoutMs = suggestedTimeout(Math.max(...late.map(({ lateMs }) => lateMs ?? 0)));
    const slaveIds = late.map(({ slaveId }) => slaveId);
    const slow = { ...patient, settings: { ...settings, timeoutMs } };
    await this.#opener.tryLine(this.#options.line, (line) =>
      this.#opener.probe(
        line,
        slaveIds,
        async (done, asker) => {
          if (hasAnswer(done))
            await examineTable(readableOf(done, slow), { asker, diagnostics, settings: slow.settings, job: patient.job, sheet });
        },
        { timeoutMs, isHasty: true },
      ),
    );
  }

  /** Opens the line of the channel and judges the layer `line`. Null when it does not open. */
  async #openSet<T>(use: (line: ProbeLine) => Promise<T>): Promise<T | null> {
    const { clock, line: set } = this.#options;
    const { sheet } = this.#patient;
    showProgress(this.#patient, say('jobs.opening', { target: targetOf(set) }));
    const startedAt = clock.monotonicMs();
    let isOpen = false;
    try {
      return await this.#opener.withLine(set, (line) => {
        isOpen = true;
        const ms = Math.round(clock.monotonicMs() - startedAt);
        if (this.#opener.isSerial) sheet.set('line', 'good', 'PORT_OPEN', { port: targetOf(set), format: formatOf(set) });
        else if (set.kind === 'udp') sheet.set('line', 'skipped', 'LINE_DATAGRAMS', { target: targetOf(set) });
        else sheet.set('line', 'good', 'LINE_CONNECTED', { target: targetOf(set), ms });
        return use(line);
      });
    } catch (thrown) {
      if (isOpen) throw thrown;
      this.#patient.job.checkpoint();
      await this.#judgeClosed(thrown);
      return null;
    }
  }

  async #judgeClosed(thrown: unknown): Promise<void> {
    const { line: set, listPorts } = this.#options;
    const { sheet } = this.#patient;
    // the port opened before, to be listened to: the adapter was pulled meanwhile
    if (sheet.size > 0) throw thrown;
    const error = toAppError(thrown);
    const found = this.#opener.isSerial
      ? serialFinding(error, set, await listPorts().catch(() => []))
      : tcpFinding(error, set, this.#patient);
    sheet.set('line', 'bad', found.code, found.params);
  }

  /** A device that greets or closes without having been asked is none of ours. */
  async #isQuietPeer(line: ProbeLine): Promise<boolean> {
    const { sheet, job } = this.#patient;
    await line.listen(GREETING_MS, job.signal);
    const { heard } = line.take();
    if (heard.length > 0) {
      this.#silence.judgeUnreadable(heard, this.#opener.recognise(heard));
      return false;
    }
    if (!line.ended) return true;
    sheet.set('bytes', 'bad', 'LINE_DROPPED', { target: targetOf(this.#options.line) });
    return false;
  }

  /** Listens before anything is sent. False when the port does not open, and when somebody else asks on this line: nothing is sent then. */
  async #isFreeLine(): Promise<boolean> {
    const { listenMs, line: set } = this.#options;
    const { sheet, job, protocol, diagnostics, settings } = this.#patient;
    const traffic = await this.#openSet((line) => {
      showProgress(this.#patient, say('jobs.listening_with_on', { target: targetOf(set), format: formatOf(set) }));
      return listenOn(line, listenMs, { signal: job.signal, recognise: (octets) => diagnostics.recognise(octets, [], settings) });
    });
    if (traffic === null) return false;
    const { heard, seen, isStray } = traffic;
    if (isStray) {
      if (seen.answering.length > 0) sheet.note('bytes', 'BYTES_STRAY', { answering: this.#text(seen.answering) });
      return true;
    }
    if (seen.frames > 0) {
      this.#judgeOtherMaster(seen);
      sheet.set('framing', 'good', 'FRAMING_GOOD', { frames: seen.frames, protocol });
      return false;
    }
    const other = await this.#listenOtherwise(heard);
    if (!other) return true;
    this.#judgeOtherMaster(other.seen);
    sheet.set('framing', 'bad', 'FRAMING_FORMAT_PROVED', { works: formatOf(other.line), set: formatOf(set) });
    return false;
  }

  /** Listens with other settings to what cannot be read with those of the channel. */
  async #listenOtherwise(heard: Uint8Array): Promise<{ readonly line: LineSettings; readonly seen: Recognition } | null> {
    const { listenMs, line: set } = this.#options;
    if (heard.length < LEAST_TRAFFIC) return null;
    const guess = guessLine(heard, set);
    const slower = guess?.kind === 'slower' ? { ...set, baudRate: guess.baudRate } : null;
    const tried = [...(slower ? [slower, ...otherFormats(slower)] : []), ...otherFormats(set)];
    for (const line of tried) {
      showProgress(this.#patient, say('jobs.listening_with', { format: formatOf(line) }));
      const seen = await this.#opener.tryLine(line, async (open) => {
        await open.listen(listenMs, this.#patient.job.signal);
        return this.#opener.recognise(open.take().heard);
      });
      if (seen && seen.frames > 0) return { line, seen };
    }
    return null;
  }

  #judgeOtherMaster(seen: Recognition): void {
    const { sheet } = this.#patient;
    sheet.set('bytes', 'warning', 'BYTES_OTHER_MASTER', { addresses: this.#text(new Set([...seen.asked, ...seen.answering])) });
    if (seen.answering.length > 0) sheet.set('address', 'good', 'ADDRESS_HEARD', { answering: this.#text(seen.answering) });
  }

  #text(slaveIds: Iterable<number>): string {
    return Array.from(slaveIds, (slaveId) => addressText(slaveId, this.#patient.diagnostics)).join(', ');
  }
}
