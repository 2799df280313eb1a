import { create } from 'zustand';

interface DoctorState {
  /** Channel whose doctor is open. */
  readonly channelId: number | null;
  /** Addresses that are asked instead of those of the point table; empty: those of the table. */
  readonly slaveIds: readonly number[];
}

/** Which channel is examined on the screen. */
export const useDoctorStore = create<DoctorState>()(() => ({ channelId: null, slaveIds: [] }));

/**
 * Opens the doctor of a channel; it begins at once. `slaveIds`: slaves, meters or common addresses it is about, 16 at most; left out: those of
 * the point table.
 */
export function openDoctor(channelId: number, slaveIds: readonly number[] = []): void {
  useDoctorStore.setState({ channelId, slaveIds });
}

/** Closes the doctor. */
export function closeDoctor(): void {
  useDoctorStore.setState({ channelId: null, slaveIds: [] });
}
