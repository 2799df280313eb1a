import { create } from 'zustand';

interface DoctorState {
  /** Channel whose doctor is open. */
  readonly channelId: number | null;
}

/** Which channel is examined on the screen. */
export const useDoctorStore = create<DoctorState>()(() => ({ channelId: null }));

/** Opens the doctor of a channel; it begins at once. */
export function openDoctor(channelId: number): void {
  useDoctorStore.setState({ channelId });
}

/** Closes the doctor. */
export function closeDoctor(): void {
  useDoctorStore.setState({ channelId: null });
}
