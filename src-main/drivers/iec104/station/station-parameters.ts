/** Parameters of measured values at our controlled station: loading and activation (IEC 60870-5-101, 7.3.5; IEC 60870-5-5, 6.12). */
import type { Asdu } from '../codec/asdu.ts';
import { Cause } from '../codec/causes.ts';
import type { InfoObject, ParameterObject } from '../codec/objects.ts';
import { TypeId } from '../codec/types.ts';
import type { StationImage } from './station-image.ts';
import type { ObjectState, ServedObject } from './station-values.ts';

/** Types of measured values by the parameter that is set for them. */
const MEASURED_OF_PARAMETER: Readonly<Record<number, readonly number[]>> = {
  [TypeId.P_ME_NA_1]: [TypeId.M_ME_NA_1, TypeId.M_ME_ND_1],
  [TypeId.P_ME_NB_1]: [TypeId.M_ME_NB_1],
  [TypeId.P_ME_NC_1]: [TypeId.M_ME_NC_1],
};
/** Types of objects that have parameters. */
const WITH_PARAMETERS: readonly number[] = Object.values(MEASURED_OF_PARAMETER).flat();

/** QPM: bits of the kind of parameter, the threshold among them, and POP: not in operation. */
const KPA_MASK = 0x3f;
const KPA_THRESHOLD = 1;
const NOT_IN_OPERATION = 0x80;
/** QPA: all parameters that were loaded, those of the object, cyclic transmission of the object. */
const QPA_ALL = 1;
const QPA_OBJECT = 2;
const QPA_CYCLIC = 3;

/** The cause a parameter is answered with, and whether it was refused. */
export interface ParameterAnswer {
  readonly cause: number;
  readonly isNegative: boolean;
}

const refusal = (cause: number): ParameterAnswer => ({ cause, isNegative: true });

/** Takes a parameter or an activation of parameters. `object` is the only one of the ASDU. A test (T) is answered in the same way, and changes nothing. */
export function takeParameter({ typeId, cause, commonAddress, isTest }: Asdu, object: InfoObject, image: StationImage): ParameterAnswer {
  const isActivation = object.kind === 'activation';
  if (cause !== Cause.activation && !(isActivation && cause === Cause.deactivation)) return refusal(Cause.unknownCause);
  const served = image.object(commonAddress, object.address);
  if (isActivation) {
    const { answer, apply } = activate(object.value, object.address, served, cause, parametersOf(image, commonAddress));
    if (!isTest) apply?.();
    return answer;
  }
  if (!served || !MEASURED_OF_PARAMETER[typeId]?.includes(served.typeId)) return refusal(Cause.unknownObjectAddress);
  const parameter = object as ParameterObject;
  // NaN would stop every change of the object
  if (!Number.isFinite(parameter.value)) return { cause: Cause.activationCon, isNegative: true };
  if (!isTest) load(served.state, parameter);
  return { cause: Cause.activationCon, isNegative: false };
}

/** Smoothing and limits are confirmed and mean nothing to values that are set by hand. */
function load(state: ObjectState, { qualifier, value }: ParameterObject): void {
  if ((qualifier & KPA_MASK) !== KPA_THRESHOLD) return;
  if ((qualifier & NOT_IN_OPERATION) !== 0) state.loadedThreshold = Math.abs(value);
  else {
    state.threshold = Math.abs(value);
    state.loadedThreshold = null;
  }
}

/** What an activation or deactivation is answered with, and what it changes; null where it changes nothing. */
interface Activation {
  readonly answer: ParameterAnswer;
  readonly apply: (() => void) | null;
}

function activate(
  qualifier: number,
  address: number,
  served: ServedObject | undefined,
  cause: number,
  all: readonly ServedObject[],
): Activation {
  const confirmation = cause === Cause.deactivation ? Cause.deactivationCon : Cause.activationCon;
  const isOn = cause === Cause.activation;
  const refused = (reason: number): Activation => ({ answer: refusal(reason), apply: null });
  const switched = (objects: readonly ServedObject[]): Activation => {
    const found = objects.flatMap(({ state }) => ((isOn ? state.loadedThreshold : state.threshold) === null ? [] : state));
    return { answer: { cause: confirmation, isNegative: found.length === 0 }, apply: () => switchParameters(found, isOn) };
  };
  // all speaks of no object
  if (qualifier === QPA_ALL) return address === 0 ? switched(all) : refused(Cause.unknownObjectAddress);
  if (!served) return refused(Cause.unknownObjectAddress);
  if (qualifier === QPA_OBJECT) return switched([served]);
  if (qualifier !== QPA_CYCLIC || served.isCounter) return refused(confirmation);
  return {
    answer: { cause: confirmation, isNegative: false },
    apply: () => {
      served.state.isCyclic = isOn;
    },
  };
}

/** Puts loaded parameters into operation, or parameters in operation out of it, back to those of the table. */
function switchParameters(states: readonly ObjectState[], isOn: boolean): void {
  for (const state of states) {
    const { threshold, loadedThreshold } = state;
    state.threshold = isOn ? loadedThreshold : null;
    state.loadedThreshold = isOn ? null : threshold;
  }
}

function parametersOf(image: StationImage, commonAddress: number): ServedObject[] {
  return image.objects.filter((object) => object.commonAddress === commonAddress && WITH_PARAMETERS.includes(object.typeId));
}
