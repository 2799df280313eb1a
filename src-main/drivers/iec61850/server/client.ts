/** One client of the simulated device: its association, its requests, our answers. */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { CancelTimer } from '../../../platform/clock.ts';
import type { AcceptedPeer } from '../../../transport/types.ts';
import type { ServedPeer } from '../../kit/served-connection.ts';
import type { FrameSink, ServerIo } from '../../spi/index.ts';
import { AssociationPort } from '../association/port.ts';
import { decodeMms, encodeMms, invokeIdOf } from '../mms/codec.ts';
import type { InformationReport, Initiate, MmsPdu, MmsRequest } from '../mms/pdu.ts';
import { SERVICE_ERROR } from '../mms/words.ts';
import { NO_END_POINT, type OsiEnd } from '../osi/connection.ts';
import type { AssociationAnswer, AssociationIndication } from '../osi/establishment.ts';
import type { ControlClient } from './control/control-reports.ts';
import { FaultyLine, type ServerFaults } from './faults.ts';
import { negotiated, type ServerLimits } from './initiate.ts';
import { addressOf } from './reports/report-client.ts';
import { serviceError } from './service-error.ts';
import { type AssociationState, answer, type ServedDevice } from './services.ts';

/** What a client needs of the channel. */
export interface ServedClientOptions {
  readonly io: Pick<ServerIo, 'clock' | 'health' | 'sink' | 'secrets'>;
  readonly frames: FrameSink;
  readonly limits: ServerLimits;
  readonly device: ServedDevice;
  readonly faults: ServerFaults;
  /** Asked when an association is wanted; false refuses it. */
  mayAssociate?(): boolean;
}

const ASSOCIATE_MS = 20_000;
const RELEASE_MS = 1000;
const FRAGMENT_MS = 10_000;
/** Diagnostic of the user in a refusing AARE: no reason given. */
const NO_REASON = 1;
const REJECT_REQUEST = 1;
const REJECT_PDU = 5;
const UNRECOGNIZED_SERVICE = 1;
const TOO_MANY_OUTSTANDING = 6;
const UNKNOWN_PDU = 0;
const INVALID_PDU = 1;

/** The server side of one association, from the first octet to the end of the line. */
export class ServedClient implements ServedPeer, ControlClient {
  readonly #options: ServedClientOptions;
  readonly #peer: AcceptedPeer;
  readonly #line: FaultyLine;
  readonly #port: AssociationPort;
  readonly #timers = new Set<CancelTimer>();
  #onClosed: () => void = () => undefined;
  #initiate: Initiate | null = null;
  #state: AssociationState | null = null;
  #answers = 0;
  /** A request is being carried out; what its effects have to tell waits for its answer. */
  #isAnswering = false;
  readonly #behind: InformationReport[] = [];

  constructor(peer: AcceptedPeer, options: ServedClientOptions) {
    this.#peer = peer;
    this.#options = options;
    this.#line = new FaultyLine(peer, options.faults);
    const { io, frames, limits } = options;
    this.#port = new AssociationPort({
      role: 'responder',
      clock: io.clock,
      local: NO_END_POINT,
      remote: NO_END_POINT,
      tpduSize: limits.tpduSize,
      password: null,
      maxPduOctets: limits.maxPduOctets,
      associateTimeoutMs: ASSOCIATE_MS,
      releaseTimeoutMs: RELEASE_MS,
      fragmentTimeoutMs: FRAGMENT_MS,
      line: this.#line,
      frames,
      health: io.health,
      events: {
        onIndication: (indication) => this.#onIndication(indication),
        onMms: (pdu, seq) => this.#onMms(pdu, seq),
        onEnd: (end) => this.#onEnd(end),
      },
    });
  }

  /** True from the accepted association to its end. */
  get isAssociated(): boolean {
    return this.#state !== null;
  }

  get label(): string {
    return this.#peer.label;
  }

  /** Ends a connection that asked for nothing in all its time. */
  leave(): void {
    this.#options.io.sink.notice(say('iec61850.served_let_go', { peer: this.#peer.label }));
    this.close();
  }

  /** Lets the client associate. */
  start(onClosed: () => void): void {
    this.#onClosed = onClosed;
    const isSilent = this.#options.faults.refuse === 'silent';
    this.#port.osi.start(null);
    this.#peer.start({
      onData: (chunk) => {
        if (!isSilent) this.#port.receive(chunk);
      },
      onClosed: (cause) => this.#port.lineEnded(cause),
    });
  }

  /** Sends a report at once; one that is longer than the client takes is left out, and told. */
  report(report: InformationReport): void {
    if (this.#port.osi.state !== 'open') return;
    const octets = encodeMms({ kind: 'information-report', report });
    const most = this.#state?.maxPduOctets ?? 0;
    if (octets.length <= most) {
      this.#port.send(octets);
      return;
    }
    const [item] = report.spec.kind === 'variables' ? report.spec.items.slice(-1) : [];
    const { io } = this.#options;
    io.sink.notice(say('iec61850.report_untold', { peer: this.label, object: item?.name.item ?? '', octets: octets.length, most }));
  }

  /** Sends a report behind the answer to the request in hand. */
  reportBehind(report: InformationReport): void {
    if (this.#isAnswering) this.#behind.push(report);
    else this.report(report);
  }

  /** Ends the association; the client is told. */
  close(): void {
    this.#port.osi.abort();
  }

  #onIndication({ initiate, password }: AssociationIndication): AssociationAnswer {
    const { io, limits, faults, device } = this.#options;
    const wanted = io.secrets?.association_password;
    if (faults.refuse !== undefined) return faults.refuse === 'answer' ? { kind: 'refuse', diagnostic: NO_REASON } : { kind: 'close' };
    if (wanted !== undefined && !isSame(new TextEncoder().encode(wanted), password)) {
      const { label: peer } = this.#peer;
      io.sink.notice(password === null ? say('iec61850.peer_no_password', { peer }) : say('iec61850.peer_wrong_password', { peer }));
      return { kind: 'close' };
    }
    if (this.#options.mayAssociate?.() === false) return { kind: 'close' };
    const pdu = decodeMms(initiate);
    const agreed = pdu.kind === 'initiate-request' ? negotiated(pdu.initiate, limits) : null;
    if (!agreed) throw new AppError('PROTOCOL_MISMATCH', say('osi.pdu_size_unusable'));
    this.#initiate = agreed;
    const maxPduOctets = agreed.localDetail ?? limits.maxPduOctets;
    this.#state = {
      address: addressOf(this.#peer.label),
      dataSets: device.dataSets.association(),
      openFiles: new Map(),
      control: this,
      maxPduOctets,
      waitingOctets: () => this.#port.waitingOctets,
      report: (report) => this.report(report),
      end: () => this.close(),
    };
    io.sink.notice(say('iec61850.served_associated', { peer: this.#peer.label, octets: maxPduOctets, count: agreed.maxCalling }));
    return { kind: 'accept', initiate: encodeMms({ kind: 'initiate-response', initiate: agreed }) };
  }

  #onMms(octets: Uint8Array, seq: number): void {
    let pdu: MmsPdu;
    try {
      pdu = decodeMms(octets);
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      this.#options.io.health.fault();
      this.#send({ kind: 'reject', invokeId: invokeIdOf(octets), reason: REJECT_PDU, code: INVALID_PDU }, seq);
      return;
    }
    if (pdu.kind === 'request') this.#onRequest(pdu.invokeId, pdu.request, seq);
    else if (pdu.kind === 'conclude-request') this.#send({ kind: 'conclude-response' }, seq);
    else if (pdu.kind === 'cancel-request') this.#cancel(pdu.invokeId, seq);
    else this.#send({ kind: 'reject', invokeId: null, reason: REJECT_PDU, code: UNKNOWN_PDU }, seq);
  }

  /** Requests are answered at once, so there is none left that could be cancelled. */
  #cancel(invokeId: number, seq: number): void {
    this.#send({ kind: 'cancel-error', invokeId, error: serviceError(SERVICE_ERROR.cancelUnknown) }, seq);
  }

  #onRequest(invokeId: number, request: MmsRequest, seq: number): void {
    const { io, faults } = this.#options;
    io.health.request();
    if (faults.silent?.includes(request.service)) return;
    const begin = io.clock.monotonicMs();
    const reply = (pdu: MmsPdu) => {
      io.health.response(io.clock.monotonicMs() - begin);
      if (pdu.kind === 'reject' || pdu.kind === 'error') io.health.refusal();
      this.#send(pdu, seq);
      for (const report of this.#behind.splice(0)) this.report(report);
    };
    if (faults.delayMs === undefined) {
      reply(this.#answer(invokeId, request));
      return;
    }
    if (this.#timers.size >= (this.#initiate?.maxCalling ?? 1)) {
      reply({ kind: 'reject', invokeId, reason: REJECT_REQUEST, code: TOO_MANY_OUTSTANDING });
      return;
    }
    const cancel = io.clock.after(faults.delayMs, () => {
      this.#timers.delete(cancel);
      reply(this.#answer(invokeId, request));
    });
    this.#timers.add(cancel);
  }

  #answer(invokeId: number, request: MmsRequest): MmsPdu {
    const { faults } = this.#options;
    if (isRefusedList(request, faults)) return { kind: 'error', invokeId, error: serviceError(SERVICE_ERROR.accessUnsupported) };
    const found = this.#carryOut(request);
    if (!found) return { kind: 'reject', invokeId, reason: REJECT_REQUEST, code: UNRECOGNIZED_SERVICE };
    if ('errorClass' in found) return { kind: 'error', invokeId, error: found };
    const response = found.service === 'read' ? { ...found, results: found.results.slice(0, faults.mostResults) } : found;
    return { kind: 'response', invokeId, response };
  }

  #carryOut(request: MmsRequest): ReturnType<typeof answer> {
    this.#isAnswering = true;
    try {
      return this.#state && answer(this.#options.device, request, this.#state);
    } finally {
      this.#isAnswering = false;
    }
  }

  /** Sends an answer; one that is longer than the client takes becomes an error. */
  #send(pdu: MmsPdu, link: number): void {
    const { faults } = this.#options;
    let octets = encodeMms(shifted(pdu, faults.invokeIdOffset ?? 0));
    if (pdu.kind === 'response' && octets.length > (this.#state?.maxPduOctets ?? 0)) {
      octets = encodeMms({ kind: 'error', invokeId: pdu.invokeId, error: serviceError(SERVICE_ERROR.resourceOther) });
    }
    if (this.#port.osi.state !== 'open') return;
    if (faults.closeAfterAnswers !== undefined && this.#answers >= faults.closeAfterAnswers) this.#line.cutNow();
    this.#answers += 1;
    this.#port.send(octets, link);
  }

  #onEnd(end: OsiEnd): void {
    const { io, device } = this.#options;
    if (this.#state) device.left(this.#state);
    this.#state = null;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    if (end.kind === 'failed') io.sink.notice(say('iec61850.peer_gone', { peer: this.#peer.label, reason: end.error.said }));
    this.#peer.close().catch(() => {});
    this.#onClosed();
  }
}

/** True for a data set that is asked for in the form that the faults refuse. */
function isRefusedList(request: MmsRequest, { listSpecification }: ServerFaults): boolean {
  if (request.service !== 'read' || request.spec.kind !== 'list' || listSpecification === undefined) return false;
  return request.withSpecification !== (listSpecification === 'demanded');
}

function shifted(pdu: MmsPdu, offset: number): MmsPdu {
  return offset !== 0 && (pdu.kind === 'response' || pdu.kind === 'error') ? { ...pdu, invokeId: pdu.invokeId + offset } : pdu;
}

function isSame(wanted: Uint8Array, given: Uint8Array | null): boolean {
  return given !== null && given.length === wanted.length && wanted.every((octet, at) => octet === given[at]);
}
