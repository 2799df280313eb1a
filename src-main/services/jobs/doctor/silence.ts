import { FOREIGN_PROTOCOLS } from '#shared/domain/doctor.ts';
import { say } from '#shared/messages/index.ts';
import type { Recognition, WildcardSearch } from '../../../drivers/spi/diagnostics.ts';
import type { LineSettings } from '../../../transport/types.ts';
import { judgeAddresses } from './address-verdict.ts';
import { type AddressProbe, type AddressRound, addressText } from './addresses.ts';
import { showProgress } from './examination.ts';
import { otherFormats } from './formats.ts';
import { formatOf, targetOf } from './line-errors.ts';
import { guessLine } from './line-format.ts';
import { hasAnswer, hasLate, type ProbeOpener } from './probe-opener.ts';

/** Octets from which on something came back, and time a frame takes on the slowest line. */
const LEAST_ANSWER = 4;
const SLOW_FRAME_MS = 400;

/** Addresses that are asked with settings other than the channel's. */
const FEW = 2;

/**
 * Finds out why no address of the channel answered, from what came instead and by asking in other ways: other framings over TCP, other
 * character formats on a serial line, the usual addresses. Only reads are sent.
 */
export class Silence {
  readonly #opener: ProbeOpener;

  constructor(opener: ProbeOpener) {
    this.#opener = opener;
  }

  /** Judges the layers `bytes` and `framing`, and `address` where it can. `hasClosed`: the device closed the line when it was asked. */
  async explain(round: AddressRound, hasClosed: boolean): Promise<void> {
    const { patient, isSerial } = this.#opener;
    const seen = this.#opener.recognise(round.heard, round.sent);
    if (this.#isBroken(round)) return;
    const others = seen.answering.filter((slaveId) => !patient.slaveIds.includes(slaveId));
    const isKnown = seen.foreign !== null || others.length > 0;
    if (!isKnown && (isSerial ? await this.#isOtherFormat(round) : await this.#isOtherFraming())) return;
    const hasOctets = seen.noise > 0 || seen.frames > 0;
    if (!hasOctets && (await this.#isOtherAddress())) return;
    if (others.length > 0) this.#judgeMismatch(round, seen, others);
    else if (hasOctets) this.judgeUnreadable(round.heard, seen, round.probes);
    else this.#judgeNothing(round, seen, hasClosed);
    showProgress(patient);
  }

  /** Octets came, and none of them in a frame of ours. */
  judgeUnreadable(heard: Uint8Array, seen: Recognition, probes: readonly AddressProbe[] = []): void {
    const { patient, options, isSerial } = this.#opener;
    const { sheet, protocol, diagnostics, slaveIds, settings } = patient;
    sheet.set('bytes', 'good', 'BYTES_SEEN', { count: heard.length });
    const isSibling = diagnostics.questions(slaveIds[0] ?? 1, settings).some((question) => question.framing === seen.foreign);
    if (isSibling && seen.foreign === 'modbus-rtu') sheet.set('framing', 'bad', 'FRAMING_RTU_OVER_TCP');
    else if (isSibling && seen.foreign === 'modbus-tcp') sheet.set('framing', 'bad', 'FRAMING_TCP_NOT_RTU');
    else if (seen.foreign) sheet.set('framing', 'bad', 'FRAMING_FOREIGN', { found: FOREIGN_PROTOCOLS[seen.foreign], protocol });
    if (!isSerial) {
      sheet.set('framing', 'bad', 'FRAMING_NOISE', { count: heard.length, protocol });
      return;
    }
    const { line } = options;
    const guess = guessLine(heard, line);
    const set = formatOf(line);
    if (guess?.kind === 'format') sheet.set('framing', 'bad', 'FRAMING_FORMAT_SEEN', { seen: guess.format, set: set.split(' ')[1] ?? set });
    else if (guess?.kind === 'slower') sheet.set('framing', 'bad', 'FRAMING_BAUD_SEEN', { seen: guess.baudRate, set: line.baudRate });
    else if (guess?.kind === 'break') sheet.set('framing', 'bad', 'FRAMING_BREAK');
    else if (differsEachTime(probes)) {
      const asked = probes.reduce((sum, { attempts }) => sum + attempts.length, 0);
      sheet.set('framing', 'bad', 'FRAMING_UNSTEADY', { count: heard.length, asked, protocol });
    } else sheet.set('framing', 'bad', 'FRAMING_NOISE', { count: heard.length, protocol });
  }

  #judgeMismatch(round: AddressRound, seen: Recognition, answering: readonly number[]): void {
    const { sheet, protocol } = this.#opener.patient;
    sheet.set('bytes', 'good', 'BYTES_SEEN', { count: round.heard.length });
    sheet.set('framing', 'good', 'FRAMING_GOOD', { frames: seen.frames, protocol });
    sheet.set('address', 'bad', 'ADDRESS_MISMATCH', { asked: this.#askedOf(round), answering: this.#text(answering) });
  }

  #judgeNothing(round: AddressRound, seen: Recognition, hasClosed: boolean): void {
    const { patient, options, isSerial } = this.#opener;
    const { sheet, settings } = patient;
    const { line } = options;
    const counts = { asked: round.probes.length, ms: settings.timeoutMs };
    if (seen.hasEcho) sheet.set('bytes', 'bad', 'BYTES_ECHO_ONLY', { port: targetOf(line) });
    else if (isSerial) sheet.set('bytes', 'bad', 'BYTES_NONE_SERIAL', { port: targetOf(line), format: formatOf(line), ...counts });
    else if (line.kind === 'udp') sheet.set('bytes', 'bad', 'BYTES_NONE_UDP', { target: targetOf(line), ...counts });
    else if (hasClosed) sheet.set('bytes', 'bad', 'BYTES_CLOSED');
    else sheet.set('bytes', 'bad', 'BYTES_NONE_TCP', counts);
    sheet.set('address', 'skipped', 'ADDRESS_SILENT', { asked: this.#askedOf(round) });
  }

  /** The beginning of an answer was heard, so baud rate and format are right and something else is wrong. */
  #isBroken(round: AddressRound): boolean {
    const { patient, isSerial } = this.#opener;
    const { sheet, protocol } = patient;
    const attempts = round.probes.flatMap((probe) => probe.attempts);
    const broken = attempts.filter(({ recognition }) => (recognition.broken ?? 0) > 0).length;
    if (broken === 0) return false;
    sheet.set('bytes', 'good', 'BYTES_SEEN', { count: round.heard.length });
    if (isSerial) sheet.set('framing', 'bad', 'FRAMING_BROKEN', { broken, asked: attempts.length });
    else sheet.set('framing', 'bad', 'FRAMING_CUT', { count: round.heard.length, protocol });
    return true;
  }

  /** Asks with the other parities and stop bits at the same baud rate. Only what works twice, and does not work with those of the channel, is proved. */
  async #isOtherFormat(silent: AddressRound): Promise<boolean> {
    const { patient, options } = this.#opener;
    const { sheet, slaveIds } = patient;
    for (const line of otherFormats(options.line)) {
      showProgress(patient, say('jobs.asking_with', { format: formatOf(line) }));
      const found = await this.#askWith(line, slaveIds.slice(0, FEW), true);
      const answering = found?.probes.find(({ answer }) => answer !== null);
      if (!found || !answering) continue;
      const again = await this.#askWith(line, [answering.slaveId], true);
      if (!again || !hasAnswer(again)) continue;
      const set = await this.#askWith(options.line, [answering.slaveId], false);
      if (set && (hasAnswer(set) || hasLate(set))) {
        this.#judgeUnsteady(silent, set);
        return true;
      }
      sheet.set('bytes', 'good', 'BYTES_SEEN', { count: found.heard.length });
      sheet.set('framing', 'bad', 'FRAMING_FORMAT_PROVED', { works: formatOf(line), set: formatOf(options.line) });
      judgeAddresses(found, sheet, patient.diagnostics, patient.settings);
      return true;
    }
    return false;
  }

  /** The settings of the channel work after all: the device left questions unanswered before. */
  #judgeUnsteady(silent: AddressRound, heard: AddressRound): void {
    const { sheet, protocol, diagnostics, settings } = this.#opener.patient;
    const before = (slaveId: number) => silent.probes.find((probe) => probe.slaveId === slaveId)?.attempts ?? [];
    const probes = heard.probes.map((probe) => ({ ...probe, attempts: [...before(probe.slaveId), ...probe.attempts] }));
    sheet.set('bytes', 'good', 'BYTES_SEEN', { count: heard.heard.length });
    sheet.set('framing', 'good', 'FRAMING_GOOD', { frames: this.#opener.recognise(heard.heard, heard.sent).frames, protocol });
    judgeAddresses({ ...heard, probes }, sheet, diagnostics, settings);
  }

  /** Asks on a line of its own; null when that does not open. */
  #askWith(line: LineSettings, slaveIds: readonly number[], isHasty: boolean): Promise<AddressRound | null> {
    const { parity, stopBits } = line;
    return this.#opener.tryLine(line, (open) => this.#opener.probe(open, slaveIds, async (round) => round, { parity, stopBits, isHasty }));
  }

  /** Asks in the other framings a device may speak on this port, each over a connection of its own. */
  async #isOtherFraming(): Promise<boolean> {
    const { patient, options } = this.#opener;
    const { diagnostics, settings, slaveIds, job } = patient;
    for (const question of diagnostics.questions(slaveIds[0] ?? 1, settings).slice(1)) {
      showProgress(patient, say('jobs.asking_as', { protocol: FOREIGN_PROTOCOLS[question.framing] }));
      const heard = await this.#opener.tryLine(options.line, async (line) => {
        options.frames.record({
          kind: 'tx',
          bytes: question.octets,
          text: say('jobs.asked_as', { protocol: FOREIGN_PROTOCOLS[question.framing] }),
        });
        await line.write(question.octets);
        await line.listen(settings.timeoutMs, job.signal);
        const { heard: octets } = line.take();
        if (octets.length > 0) options.frames.record({ kind: 'noise', bytes: octets, text: say('jobs.came_back') });
        return octets;
      });
      if (!heard || heard.length === 0) continue;
      const seen = this.#opener.recognise(heard);
      if (seen.foreign === null) continue;
      this.judgeUnreadable(heard, seen);
      return true;
    }
    return false;
  }

  /** Asks the usual addresses that the channel does not name. */
  async #isOtherAddress(): Promise<boolean> {
    const { patient, options } = this.#opener;
    const { sheet, slaveIds, diagnostics, protocol } = patient;
    if (diagnostics.wildcards) return this.#isFoundByWildcard(diagnostics.wildcards);
    const usual = diagnostics.addresses.usual.filter((address) => !slaveIds.includes(address));
    if (usual.length === 0) return false;
    showProgress(patient, say('jobs.asking_usual'));
    const round = await this.#opener.tryLine(options.line, (line) =>
      this.#opener.probe(line, usual, async (done) => done, { isHasty: true }),
    );
    const answering = round?.probes.filter((probe) => probe.answer && probe.answer.kind !== 'gateway').map((probe) => probe.slaveId) ?? [];
    if (!round || answering.length === 0) return false;
    const seen = this.#opener.recognise(round.heard, round.sent);
    sheet.set('bytes', 'good', 'BYTES_SEEN', { count: round.heard.length });
    sheet.set('framing', 'good', 'FRAMING_GOOD', { frames: seen.frames, protocol });
    sheet.set('address', 'bad', 'ADDRESS_OTHER', { asked: this.#text(slaveIds), answering: this.#text(answering) });
    return true;
  }

  /** Asks everybody by wildcards, for a device under a number that the channel does not name. */
  async #isFoundByWildcard(wildcards: WildcardSearch): Promise<boolean> {
    const { patient, options } = this.#opener;
    const { sheet, slaveIds, protocol, job, settings } = patient;
    for (const root of wildcards.roots) {
      showProgress(patient, say('jobs.asking_wildcard', { pattern: root.text, count: wildcards.describe(root) }));
      const question = wildcards.question(root, false);
      const heard = await this.#opener.tryLine(options.line, async (line) => {
        options.frames.record({ kind: 'tx', bytes: question, text: say('jobs.asked_wildcard') });
        await line.write(question);
        await line.listen(settings.timeoutMs + (this.#opener.isSerial ? SLOW_FRAME_MS : 0), job.signal);
        const { heard: octets } = line.take();
        if (octets.length > 0) options.frames.record({ kind: 'noise', bytes: octets, text: say('jobs.came_back') });
        return octets;
      });
      if (!heard) continue;
      const { devices: all, noise } = wildcards.judge(heard, question);
      const devices = all.filter(({ slaveId }) => !slaveIds.includes(slaveId));
      if (devices.length === 0 && noise < LEAST_ANSWER) continue;
      sheet.set('bytes', 'good', 'BYTES_SEEN', { count: heard.length });
      const isAlone = devices.length > 0 && noise < LEAST_ANSWER;
      if (isAlone) sheet.set('framing', 'good', 'FRAMING_GOOD', { frames: devices.length, protocol });
      const asked = this.#text(slaveIds);
      const answering = this.#text(devices.map(({ slaveId }) => slaveId));
      if (isAlone) sheet.set('address', 'bad', 'ADDRESS_OTHER', { asked, answering });
      else sheet.set('address', 'bad', 'ADDRESS_CROWD', { asked });
      return true;
    }
    return false;
  }

  #askedOf(round: AddressRound): string {
    return this.#text(round.probes.map((probe) => probe.slaveId));
  }

  #text(slaveIds: readonly number[]): string {
    return slaveIds.map((slaveId) => addressText(slaveId, this.#opener.patient.diagnostics)).join(', ');
  }
}

/** Whether one and the same question brought other octets each time; wrong settings alone bring the same. */
function differsEachTime(probes: readonly AddressProbe[]): boolean {
  return probes.some(({ attempts }) => {
    const heard = attempts.filter((attempt) => attempt.heard.length >= LEAST_ANSWER).map((attempt) => attempt.heard.join());
    return heard.length > 1 && new Set(heard).size > 1;
  });
}
