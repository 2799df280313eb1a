import { create } from 'zustand';
import type { Channel } from '#shared/contract/channels.ts';

/** What the search begins with. */
export interface FindPreset {
  readonly protocol_type?: Channel['protocol_type'];
  /** Null: a TCP address is searched. */
  readonly com_port?: string | null;
  readonly ip?: string;
  readonly port?: number;
}

interface FindState {
  readonly preset: FindPreset | null;
}

/** Whether the search is open, and with what it begins. */
export const useFindStore = create<FindState>()(() => ({ preset: null }));

/** Opens the search; it begins when its button is pressed. */
export function openFind(preset: FindPreset = {}): void {
  useFindStore.setState({ preset });
}

/** Closes the search. */
export function closeFind(): void {
  useFindStore.setState({ preset: null });
}
