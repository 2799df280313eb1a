import { useEffect, useReducer } from 'react';
import { create } from 'zustand';
import type { Channel } from '#shared/contract/channels.ts';
import { EFFECT_RULES, type Effect } from '#shared/contract/effect.ts';
import { isServing } from '#shared/domain/enums.ts';
import { isHolding, useHeldRequests } from '../../api/held-requests.ts';
import { addressText } from '../channels/channel-text.ts';
import { isOpen } from './write-rules.ts';

/** How long a channel stays armed, in milliseconds. */
export const ARMING_MS = 600_000;
/** Longest time between two looks of the screen at what is left, in milliseconds. */
const TICK_MS = 1000;

/** Permission to write through one channel, for a time. */
interface Arming {
  /** Where the channel led when it was armed: a channel that leads elsewhere is another device. */
  readonly target: string;
  /** End by the clock of the computer, which goes on while it sleeps, in milliseconds since 1970. */
  readonly endsAt: number;
  /** End by the clock of the page, which nobody can set back, in milliseconds. */
  readonly endsAtMonotonic: number;
}

interface ArmingState {
  /** By channel id. In memory only: every page starts disarmed. */
  readonly armings: Readonly<Record<number, Arming>>;
}

export const useArmingStore = create<ArmingState>()(() => ({ armings: {} }));

function targetOf(channel: Channel): string {
  return `${channel.protocol_type} ${channel.conn_type} ${addressText(channel)}`;
}

function remainingOf(arming: Arming | undefined): number {
  if (!arming) return 0;
  return Math.max(0, Math.min(arming.endsAt - Date.now(), arming.endsAtMonotonic - performance.now()));
}

/** Milliseconds for which writes may still be sent through a channel; 0 when it is not armed. */
export function armedForMs(channelId: number): number {
  return remainingOf(useArmingStore.getState().armings[channelId]);
}

/** Arms a channel for `ARMING_MS` from now. */
export function arm(channel: Channel): void {
  const arming = { target: targetOf(channel), endsAt: Date.now() + ARMING_MS, endsAtMonotonic: performance.now() + ARMING_MS };
  useArmingStore.setState(({ armings }) => ({ armings: { ...armings, [channel.id]: arming } }));
}

/** Takes the arming of a channel back. */
export function disarm(channelId: number): void {
  useArmingStore.setState(({ armings }) => {
    const { [channelId]: _gone, ...rest } = armings;
    return { armings: rest };
  });
}

/** True when nothing of this effect may be sent through the channel now. Setting what we serve reaches no device and needs no arming, nor does what is only written down. */
export function needsArming(channel: Channel, effect: Effect = 'command'): boolean {
  return !isHolding() && EFFECT_RULES[effect].needsArming && !isServing(channel.conn_type) && armedForMs(channel.id) === 0;
}

/** `armedForMs` for the screen: counted down once a second. */
export function useArmedForMs(channelId: number): number {
  const arming = useArmingStore((state) => state.armings[channelId]);
  const [, look] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!arming) return;
    const timer = setInterval(() => {
      if (remainingOf(arming) === 0) disarm(channelId);
      look();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [arming, channelId]);
  return remainingOf(arming);
}

/** `needsArming` for the screen. */
export function useNeedsArming(channel: Channel, effect: Effect = 'command'): boolean {
  useArmedForMs(channel.id);
  useHeldRequests((state) => state.isHolding);
  return needsArming(channel, effect);
}

/** Ends armings that have lost their ground: a channel that stopped, leads elsewhere or was deleted, and read-only. */
export function useArmingKeeper(channels: readonly Channel[] | undefined, isServiceReadOnly: boolean): void {
  const armings = useArmingStore((state) => state.armings);
  useEffect(() => {
    for (const [id, arming] of Object.entries(armings)) {
      const channel = channels?.find((item) => item.id === Number(id));
      const isGrounded = channel && isOpen(channel) && !channel.read_only && targetOf(channel) === arming.target;
      if (isServiceReadOnly || (channels && !isGrounded)) disarm(Number(id));
    }
  }, [channels, armings, isServiceReadOnly]);
}

/** Time left as people read a clock: `9:58`. */
export function countdownText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
