/** Why the simulated device refuses a control, by the values that it serves (IEC 61850-7-4, annexes A and B; IEC 61850-7-2, 20.5.2.9). */
import { ADD_CAUSE } from '../../control/add-causes.ts';
import type { ServedImage } from '../image.ts';
import type { ControlRequest } from './control-request.ts';
import { type ControlledObject, nodeBeside, stateAt, switchBehind, toldStateAt, truth, wholeAt } from './controlled-object.ts';

const COMMON_NODE = 'LLN0';
/** Breakers and disconnectors. */
const PROCESS_NODE = /X(?:CBR|SWI)\d*$/;
const [ON, BLOCKED, TEST, TEST_BLOCKED, OFF] = [1, 2, 3, 4, 5];
const MODE = 'Mod';
/** Categories of the bay and of its automatics; of the station, of the remote centre (IEC 61850-7-3, orCat). */
const BAY: readonly number[] = [1, 4];
const STATION: readonly number[] = [2, 5];
const CENTRE: readonly number[] = [3, 6];
/** Objects by which modes, places and blockings are changed: places and blockings must not keep anybody from changing them, and they are no outputs. */
const ADMINISTRATIVE: ReadonlySet<string> = new Set([MODE, 'LocSta', 'MltLev', 'CmdBlk', 'BlkOpn', 'BlkCls', 'Blk']);

/** Behaviour of a logical node: its own, and what follows from the mode of its logical device. */
interface Behaviour {
  readonly isOff: boolean;
  readonly isTest: boolean;
  readonly isBlocked: boolean;
  /** The node tells by itself that it is in operation; one whose behaviour nobody set tells nothing. */
  readonly isInOperation: boolean;
}

/**
 * The additional cause with which a control is refused; null where nothing stands against it. `request` is null for the Select of SBO, which
 * says nothing of the command to come.
 */
export function obstacleTo(image: ServedImage, object: ControlledObject, request: ControlRequest | null): number | null {
  if (object.path[0] !== MODE && isOfOtherMode(behaviourOf(image, object), request)) return ADD_CAUSE.mode;
  if (!isAdministrative(object)) {
    if (isElsewhere(image, object, request)) return ADD_CAUSE.switchingHierarchy;
    if (isBlocked(image, object, request)) return ADD_CAUSE.process;
  }
  if (!request) return null;
  const isClosing = truth(request.value);
  if (request.checksInterlocking && isInterlocked(image, object, isClosing)) return ADD_CAUSE.interlocking;
  const synchrocheck = nodeBeside(image, object, 'RSYN');
  const isSynchronous = synchrocheck === null ? null : stateAt(image, object.domain, synchrocheck, 'Rel');
  return request.checksSynchronism && isClosing === true && isSynchronous === false ? ADD_CAUSE.synchrocheck : null;
}

/** Tests are for nodes that are tested, all other commands for nodes in operation (IEC 61850-7-4, annex A). */
function isOfOtherMode({ isOff, isTest, isInOperation }: Behaviour, request: ControlRequest | null): boolean {
  return isOff || (request !== null && (request.isTest ? isInOperation && !isTest : isTest));
}

/**
 * False for a command that is taken and does not reach what it is for: a command of an output while outputs are blocked, and a test where nobody has set the behaviour.
 * The mode is changed in every behaviour.
 */
export function reachesProcess(image: ServedImage, object: ControlledObject, { isTest }: ControlRequest): boolean {
  if (object.path[0] === MODE) return !isTest;
  const behaviour = behaviourOf(image, object);
  return behaviour.isTest === isTest && (!behaviour.isBlocked || isAdministrative(object));
}

function isAdministrative({ path: [name = ''] }: ControlledObject): boolean {
  return ADMINISTRATIVE.has(name);
}

function behaviourOf(image: ServedImage, { domain, node }: ControlledObject): Behaviour {
  const modes = [node, COMMON_NODE].flatMap((name) => ['Beh', 'Mod'].map((of) => wholeAt(image, domain, [name, 'ST', of, 'stVal'])));
  const has = (...wanted: readonly (number | undefined)[]) => modes.some((mode) => mode !== null && wanted.includes(mode));
  const own = wholeAt(image, domain, [node, 'ST', 'Beh', 'stVal']);
  const isInOperation = own === ON || own === BLOCKED;
  return { isInOperation, isOff: has(OFF), isTest: has(TEST, TEST_BLOCKED), isBlocked: has(BLOCKED, TEST_BLOCKED) };
}

/** Control belongs to another place than the originator's: on site (Loc, LocKey), the station or the remote centre (LocSta). */
function isElsewhere(image: ServedImage, object: ControlledObject, request: ControlRequest | null): boolean {
  const { domain, node } = object;
  const isLocal = (at: string | null) => at !== null && ['Loc', 'LocKey'].some((name) => stateAt(image, domain, at, name) === true);
  // at the switch itself nobody commands over the network
  if (isLocal(switchBehind(image, object)) || (isLocal(node) && PROCESS_NODE.test(node))) return true;
  if (isLocal(node) || isLocal(COMMON_NODE)) return !request || !BAY.includes(request.category);
  const isForAll = stateAt(image, domain, node, 'MltLev') ?? stateAt(image, domain, COMMON_NODE, 'MltLev');
  if (!request || isForAll === true) return false;
  // not known is not FALSE: nobody is refused for what the device does not say
  const isStation = toldStateAt(image, domain, node, 'LocSta') ?? toldStateAt(image, domain, COMMON_NODE, 'LocSta');
  return (isStation === true && CENTRE.includes(request.category)) || (isStation === false && STATION.includes(request.category));
}

function isBlocked(image: ServedImage, object: ControlledObject, request: ControlRequest | null): boolean {
  const { domain, node, path } = object;
  const nodes = [node, switchBehind(image, object)];
  const is = (name: string) => nodes.some((at) => at !== null && stateAt(image, domain, at, name) === true);
  if (is('CmdBlk') || is('Blk')) return true;
  const isClosing = request && truth(request.value);
  if (path[0] !== 'Pos') return false;
  // a Select without value is refused where no command could follow it
  if (isClosing === null) return is('BlkOpn') && is('BlkCls');
  return isClosing ? is('BlkCls') : is('BlkOpn');
}

function isInterlocked(image: ServedImage, object: ControlledObject, isClosing: boolean | null): boolean {
  const interlocking = nodeBeside(image, object, 'CILO');
  if (interlocking === null || isClosing === null) return false;
  return stateAt(image, object.domain, interlocking, isClosing ? 'EnaCls' : 'EnaOpn') === false;
}
