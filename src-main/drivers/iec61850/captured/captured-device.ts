/** What a device told in a recorded conversation of IEC 61850. */
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { CapturedRead, ReadFinder } from '../../spi/index.ts';
import type { AccessSelection, AccessSpec, InformationReport, MmsPdu, MmsRequest, MmsResponse, VariableSpec } from '../mms/pdu.ts';
import type { MmsResult } from '../mms/types.ts';
import { isConstraint } from '../model/constraints.ts';
import { keyOf, parseReference } from '../model/references.ts';
import { memberKey } from '../object-names.ts';
import { decodeReport, isReport, type Report } from '../reports/report.ts';
import { AskedRequests, type TellingRequest } from './asked-requests.ts';
import { type Heard, RecordedSide } from './recorded-side.ts';
import { ToldModel } from './told-model.ts';
import { ToldValues, type ToldVariable } from './told-values.ts';

/** Attributes of report blocks that are written and tell something. */
const BLOCK_ATTRIBUTE = /\$(?:RP|BR)\$[^$]+\$(?:RptID|DatSet)$/;

/**
 * The values of a conversation, whatever brought them: reads of variables and of data sets, reports. It may begin anywhere, and go on behind octets that are missing. A PDU says itself
 * whether it asks or answers, so it does not matter which end was taken for the device. Names of members, and members of data sets, are those that the conversation tells.
 */
export class CapturedDevice implements ReadFinder {
  readonly #sides = [new RecordedSide(), new RecordedSide()] as const;
  /** What each side asked. */
  readonly #asked = [new AskedRequests(), new AskedRequests()] as const;
  readonly #model = new ToldModel();
  readonly #values = new ToldValues(this.#model);
  /** Answers and reports of data sets whose members are not known. */
  #unknownSets = 0;

  get leftOut(): Message | null {
    const [sets, structures] = [this.#unknownSets, this.#values.unknownStructures];
    return sets + structures === 0 ? null : say('capture.mms_unnamed', { sets, structures });
  }

  push(isToDevice: boolean | null, bytes: Uint8Array, atMs: number): readonly CapturedRead[] {
    const side = isToDevice ? 0 : 1;
    return this.#sides[side].push(bytes).flatMap((heard) => {
      const read = this.#hear(heard, side, atMs);
      return read.length > 0 ? [read] : [];
    });
  }

  gap(isToDevice: boolean | null): void {
    const side = isToDevice ? 0 : 1;
    this.#sides[side].lose();
    this.#missing(side);
  }

  #missing(side: 0 | 1): void {
    this.#asked[side].forget();
    this.#asked[side === 0 ? 1 : 0].lostAnswers();
  }

  #hear(heard: Heard, side: 0 | 1, atMs: number): CapturedRead {
    const [own, other] = side === 0 ? this.#asked : ([this.#asked[1], this.#asked[0]] as const);
    switch (heard.kind) {
      case 'associating':
        own.forget();
        other.forget();
        this.#model.associated();
        return [];
      case 'torn':
        this.#missing(side);
        return [];
      case 'broken':
        if (heard.isRequest) own.ask(heard.invokeId, null, atMs);
        else other.answer(heard.invokeId, atMs);
        return [];
      default:
        return this.#take(heard.pdu, own, other, atMs);
    }
  }

  #take(pdu: MmsPdu, own: AskedRequests, other: AskedRequests, atMs: number): CapturedRead {
    switch (pdu.kind) {
      case 'request':
        own.ask(pdu.invokeId, tellingOf(pdu.request), atMs);
        return [];
      case 'response': {
        const request = other.answer(pdu.invokeId, atMs);
        return request ? this.#answered(request, pdu.response) : [];
      }
      case 'error':
        other.answer(pdu.invokeId, atMs);
        return [];
      case 'reject':
        if (pdu.invokeId !== null) other.answer(pdu.invokeId, atMs);
        return [];
      case 'information-report':
        return this.#reported(pdu.report);
      default:
        return [];
    }
  }

  #answered(request: TellingRequest, response: MmsResponse): CapturedRead {
    if (response.service !== 'read') {
      this.#model.answered(request, response);
      return [];
    }
    if (request.service !== 'read') return [];
    // an answer may say itself what a data set has
    return this.#read(response.spec?.kind === 'variables' ? response.spec : request.spec, response.results);
  }

  #read(spec: AccessSpec, results: readonly MmsResult[]): CapturedRead {
    const items = spec.kind === 'variables' ? spec.items : this.#model.membersOf(spec.name);
    if (!items) {
      this.#unknownSets += 1;
      return [];
    }
    if (items.length !== results.length) return [];
    return this.#values.take(items.flatMap((item, at) => this.#variable(item, results[at])));
  }

  #reported(told: InformationReport): CapturedRead {
    if (!isReport(told)) return told.spec.kind === 'variables' ? this.#read(told.spec, told.results) : [];
    const report = reportOf(told);
    if (!report || report.members.length === 0) return [];
    const references = report.members.map(({ reference }) => reference && nameIn(reference));
    const set = references.includes(null) ? this.#model.setOfReport(report) : null;
    const items = set === null ? null : this.#model.membersOf(set);
    const isOfSet = items?.length === report.memberCount;
    if (references.includes(null) && !isOfSet) {
      this.#unknownSets += 1;
      return [];
    }
    const variables = report.members.flatMap(({ place, value }, at): ToldVariable[] => {
      const reference = references[at];
      if (reference) return [{ key: reference, result: value }];
      const item = items?.[place];
      return item ? this.#variable(item, value) : [];
    });
    return this.#values.take(variables);
  }

  /** Empty for several parts of an array at once, which have no name. */
  #variable(item: VariableSpec, result: MmsResult | undefined): ToldVariable[] {
    if (!result || item.name.scope !== 'domain' || !isOnePart(item.access)) return [];
    const key = memberKey(item);
    if (result.kind !== 'failure') this.#model.read(key, result);
    return [{ key, result }];
  }
}

/** Requests that tell nothing are not kept; of those that write, what sets report blocks. */
function tellingOf(request: MmsRequest): TellingRequest | null {
  switch (request.service) {
    case 'read':
    case 'get-variable-access-attributes':
    case 'define-named-variable-list':
    case 'get-named-variable-list-attributes':
    case 'delete-named-variable-list':
      return request;
    case 'write': {
      const { spec } = request;
      return spec.kind === 'variables' && spec.items.some(({ name }) => BLOCK_ATTRIBUTE.test(name.item)) ? request : null;
    }
    default:
      return null;
  }
}

function isOnePart(access: readonly AccessSelection[] | null): boolean {
  for (let at = access; at; at = at[0]?.inner ?? null) {
    const kind = at[0]?.step.kind;
    if (at.length !== 1 || (kind !== 'index' && kind !== 'component')) return false;
  }
  return true;
}

function reportOf(report: InformationReport): Report | null {
  try {
    return decodeReport(report);
  } catch {
    return null;
  }
}

/** A data reference as variables are named; null for one that names no attribute or object. */
function nameIn(text: string): string | null {
  const reference = parseReference(text);
  return reference && isConstraint(reference.constraint ?? '') && reference.path.length > 0 ? keyOf(reference) : null;
}
