/** What our controlled station answers to each request (IEC 60870-5-101, 7.3.2 to 7.3.5; IEC 60870-5-5). */
import { type Asdu, type AsduView, decodeAsdu, encodeAsdu, mirrorAsdu } from '../codec/asdu.ts';
import { Cause } from '../codec/causes.ts';
import type { CommandObject, InfoObject } from '../codec/objects.ts';
import { type AsduSizes, broadcastAddress } from '../codec/sizes.ts';
import { TypeId, typeSpec } from '../codec/types.ts';
import { POINT_TYPES, plainType } from '../point-types.ts';
import { clockTag, cp56ToUtc, type TimeRules } from '../time.ts';
import { type CommandSource, isCommandCause, type StationCommands } from './station-commands.ts';
import { freeze, type StationImage } from './station-image.ts';
import type { StationOutbox } from './station-outbox.ts';
import { takeParameter } from './station-parameters.ts';
import { StationScan } from './station-scan.ts';
import type { ServedObject } from './station-values.ts';

/** The station as its connections use it. */
export interface StationContext {
  readonly sizes: AsduSizes;
  readonly rules: TimeRules;
  readonly image: StationImage;
  readonly commands: StationCommands;
  /** Time of the station, UTC milliseconds. */
  now(): number;
  setClock(utcMs: number): void;
  /** Tells all clients that the station of a common address has started; cause of initialization 0 to 127. */
  initialized(commonAddress: number, cause: number): void;
  /** Drops the events with time tag of a connection's group. */
  discardTimedEvents(client: object): void;
  /** Place of the newest event in the order of all. */
  readonly lastEvent: number;
}

/** A refusal of an answer: counted as such. */
export interface RequestResult {
  readonly isRefused: boolean;
}

const TAKEN: RequestResult = { isRefused: false };
const REFUSED: RequestResult = { isRefused: true };

const SYSTEM_TYPES: readonly number[] = [
  TypeId.C_IC_NA_1,
  TypeId.C_CI_NA_1,
  TypeId.C_RD_NA_1,
  TypeId.C_CS_NA_1,
  TypeId.C_RP_NA_1,
  TypeId.C_CD_NA_1,
  TypeId.C_TS_TA_1,
];
const PARAMETER_TYPES: readonly number[] = [TypeId.P_ME_NA_1, TypeId.P_ME_NB_1, TypeId.P_ME_NC_1, TypeId.P_AC_NA_1];
const COMMAND_TYPES: readonly number[] = [...POINT_TYPES[2], ...POINT_TYPES[3]];
/** Types that may be sent to all stations at once (IEC 60870-5-101, 7.2.4). */
const BROADCAST_TYPES: readonly number[] = [TypeId.C_IC_NA_1, TypeId.C_CI_NA_1, TypeId.C_CS_NA_1, TypeId.C_RP_NA_1];

/** Answers one request of one client into its outbox. */
export function answerRequest(view: AsduView, client: object, outbox: StationOutbox, context: StationContext): RequestResult {
  const octets = view.octets.subarray(view.at);
  const { typeId } = view;
  const isKnown = SYSTEM_TYPES.includes(typeId) || PARAMETER_TYPES.includes(typeId) || COMMAND_TYPES.includes(typeId);
  if (!isKnown) return refuse(outbox, octets, Cause.unknownType);
  const everyone = broadcastAddress(context.sizes);
  const isForAll = view.commonAddress === everyone && BROADCAST_TYPES.includes(typeId);
  if (!isForAll && !context.image.hasStation(view.commonAddress)) return refuse(outbox, octets, Cause.unknownCommonAddress);
  const asdu = decodeAsdu(octets, context.sizes);
  const stations = isForAll ? context.image.stations : [view.commonAddress];
  let result = TAKEN;
  for (const commonAddress of stations) {
    // each station answers with its own address
    const own = isForAll ? encodeAsdu({ ...asdu, commonAddress }, context.sizes) : octets;
    const request = new StationRequest({ ...asdu, commonAddress }, own, client, outbox, context);
    if (request.answer().isRefused) result = REFUSED;
  }
  return result;
}

function refuse(outbox: StationOutbox, octets: Uint8Array, cause: number): RequestResult {
  outbox.answer(mirrorAsdu(octets, cause, true));
  return REFUSED;
}

/** One request to one station. */
class StationRequest {
  readonly #asdu: Asdu;
  readonly #octets: Uint8Array;
  readonly #client: object;
  readonly #outbox: StationOutbox;
  readonly #context: StationContext;

  constructor(asdu: Asdu, octets: Uint8Array, client: object, outbox: StationOutbox, context: StationContext) {
    this.#asdu = asdu;
    this.#octets = octets;
    this.#client = client;
    this.#outbox = outbox;
    this.#context = context;
  }

  answer(): RequestResult {
    const { typeId, objects } = this.#asdu;
    const [object] = objects;
    if (!object) return this.#mirror(Cause.unknownType, true);
    // a refusal that came back on the wrong way is no request
    if (this.#asdu.isNegative) return this.#mirror(Cause.unknownCause, true);
    if (COMMAND_TYPES.includes(typeId)) return this.#command(object as CommandObject);
    if (PARAMETER_TYPES.includes(typeId)) return this.#parameter(object);
    if (typeId === TypeId.C_RD_NA_1) return this.#read(object.address);
    if (typeId === TypeId.C_CD_NA_1 && this.#asdu.cause === Cause.spontaneous) return TAKEN;
    if (!this.#hasSystemCause()) return this.#mirror(Cause.unknownCause, true);
    if (object.address !== 0) return this.#mirror(Cause.unknownObjectAddress, true);
    switch (object.kind) {
      case 'interrogation':
        return this.#interrogate(object.value);
      case 'counterInterrogation':
        return this.#counters(object.request, object.freeze);
      case 'clock':
        return this.#clock(object);
      case 'reset':
        return this.#reset(object.value);
      default:
        return this.#mirror(Cause.activationCon, false);
    }
  }

  #hasSystemCause(): boolean {
    const { cause, typeId } = this.#asdu;
    if (cause === Cause.activation) return true;
    return cause === Cause.deactivation && (typeId === TypeId.C_IC_NA_1 || typeId === TypeId.C_CI_NA_1);
  }

  #interrogate(qualifier: number): RequestResult {
    const group = qualifier - 20;
    const objects = this.#own(
      (object) => !object.isCounter && typeSpec(object.typeId)?.time === null && (group === 0 || object.group === group),
    );
    const exists = group === 0 || (group >= 1 && group <= 16 && objects.length > 0);
    return this.#inquire(`interrogation ${this.#asdu.commonAddress}`, exists, objects, Cause.stationInterrogation + group);
  }

  #counters(request: number, freezing: number): RequestResult {
    const isGeneral = request === 5;
    const objects = this.#own((object) => object.isCounter && (isGeneral || object.group === request));
    const exists = isGeneral || (request >= 1 && request <= 4 && objects.length > 0);
    const isDeactivation = this.#asdu.cause === Cause.deactivation;
    if (freezing !== 0 && exists && !isDeactivation) {
      if (!this.#asdu.isTest) for (const object of objects) freeze(object, freezing as 1 | 2 | 3);
      return this.#mirror(Cause.activationCon, false);
    }
    const cause = Cause.counterInterrogation + (isGeneral ? 0 : request);
    return this.#inquire(`counters ${this.#asdu.commonAddress}`, exists, objects, cause);
  }

  /** Confirmation, data, termination; a second one while it runs is refused, a deactivation ends it. */
  #inquire(name: string, exists: boolean, objects: readonly ServedObject[], cause: number): RequestResult {
    if (this.#asdu.cause === Cause.deactivation) return this.#mirror(Cause.deactivationCon, !this.#outbox.cancelJob(name));
    if (!exists || this.#outbox.hasJob(name)) return this.#mirror(Cause.activationCon, true);
    this.#mirror(Cause.activationCon, false);
    const scan = new StationScan(objects, { cause, originator: this.#asdu.originator }, this.#context);
    this.#outbox.addJob({ name, next: () => scan.next(), onDone: () => void this.#mirror(Cause.activationTermination, false) });
    return TAKEN;
  }

  #read(address: number): RequestResult {
    if (this.#asdu.cause !== Cause.request) return this.#mirror(Cause.unknownCause, true);
    const { image } = this.#context;
    const object = image.object(this.#asdu.commonAddress, address);
    if (!object) return this.#mirror(Cause.unknownObjectAddress, true);
    const data = new StationScan([object], { cause: Cause.request, originator: this.#asdu.originator }, this.#context).next();
    // events of protection equipment have no type without time tag, so nothing can be asked for
    if (!data || typeSpec(object.typeId)?.time !== null) return this.#mirror(Cause.unknownObjectAddress, true);
    this.#outbox.answer(data);
    return TAKEN;
  }

  #clock(object: InfoObject): RequestResult {
    const { rules, sizes } = this.#context;
    const { time } = object;
    const utcMs = time?.kind === 'cp56' && !time.isInvalid ? cp56ToUtc(time, rules) : null;
    if (utcMs === null) return this.#mirror(Cause.activationCon, true);
    const before = clockTag(this.#context.now(), rules);
    if (!this.#asdu.isTest) this.#context.setClock(utcMs);
    const confirmation = { ...this.#asdu, cause: Cause.activationCon, objects: [{ ...object, time: before }] };
    this.#outbox.answer(encodeAsdu(confirmation, sizes));
    return TAKEN;
  }

  #reset(qualifier: number): RequestResult {
    if (qualifier !== 1 && qualifier !== 2) return this.#mirror(Cause.activationCon, true);
    const result = this.#mirror(Cause.activationCon, false);
    if (this.#asdu.isTest) return result;
    if (qualifier === 1) this.#context.initialized(this.#asdu.commonAddress, 2);
    else this.#context.discardTimedEvents(this.#client);
    return result;
  }

  #parameter(object: InfoObject): RequestResult {
    const { cause, isNegative } = takeParameter(this.#asdu, object, this.#context.image);
    return this.#mirror(cause, isNegative);
  }

  #command(object: CommandObject): RequestResult {
    const { typeId, cause, commonAddress, originator } = this.#asdu;
    const { image, commands } = this.#context;
    if (!isCommandCause(cause, typeId)) return this.#mirror(Cause.unknownCause, true);
    const control = image.control(commonAddress, object.address);
    if (control?.typeId !== plainType(typeId)) return this.#mirror(Cause.unknownObjectAddress, true);
    const source: CommandSource = { client: this.#client, originator };
    if (cause === Cause.deactivation)
      return this.#mirror(Cause.deactivationCon, commands.cancel(control, this.#asdu, source).kind === 'refused');
    const verdict = commands.activate(control, this.#asdu, object, source);
    if (verdict.kind === 'refused') return this.#mirror(Cause.activationCon, true);
    this.#mirror(Cause.activationCon, false);
    verdict.run?.((isCarriedOut) => {
      this.#outbox.answerLater(mirrorAsdu(this.#octets, Cause.activationTermination, !isCarriedOut), this.#context.lastEvent);
    });
    return TAKEN;
  }

  #own(isWanted: (object: ServedObject) => boolean): ServedObject[] {
    const { commonAddress } = this.#asdu;
    return this.#context.image.objects.filter((object) => object.commonAddress === commonAddress && isWanted(object));
  }

  #mirror(cause: number, isNegative: boolean): RequestResult {
    this.#outbox.answer(mirrorAsdu(this.#octets, cause, isNegative));
    return isNegative ? REFUSED : TAKEN;
  }
}
