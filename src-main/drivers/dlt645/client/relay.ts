/** What a YK means to a meter: which relay commands its 1 and its 0 are. */
import type { PointConfig, PointReading } from '../../spi/index.ts';
import type { RelayCommand } from './write-requests.ts';

/** Kinds of relay control a YK may stand for. */
export const RELAY_KINDS = ['switch', 'permit', 'alarm', 'hold'] as const;
type RelayKind = (typeof RELAY_KINDS)[number];

const COMMANDS: Readonly<Record<RelayKind, readonly [off: RelayCommand, on: RelayCommand]>> = {
  switch: ['trip', 'close'],
  permit: ['trip', 'close_permit'],
  alarm: ['alarm_off', 'alarm_on'],
  hold: ['release', 'hold'],
};

/** The kind a point says; direct switching where it says none. */
export function relayKindOf({ protocol }: Pick<PointConfig, 'protocol'>): RelayKind {
  return RELAY_KINDS.find((kind) => kind === protocol.relay) ?? 'switch';
}

/** The command that a value of a YK is: 0 or 1. */
export function relayCommandOf(point: Pick<PointConfig, 'protocol'>, value: number): RelayCommand {
  const [off, on] = COMMANDS[relayKindOf(point)];
  return value === 0 ? off : on;
}

/** What a YK shows of a simulated meter: 1 for closed, alarm, or power kept on. */
export function relayReading(
  point: PointConfig,
  relay: { readonly isOpen: boolean; readonly isAlarm: boolean; readonly isHeld: boolean },
): PointReading {
  const kind = relayKindOf(point);
  const isOn = kind === 'alarm' ? relay.isAlarm : kind === 'hold' ? relay.isHeld : !relay.isOpen;
  const raw = new Uint8Array(0);
  return {
    kind: 'value',
    pointId: point.id,
    value: isOn ? 1 : 0,
    form: 'state',
    valueText: '',
    raw,
    quality: 'good',
    flags: [],
    sourceTime: null,
  };
}
