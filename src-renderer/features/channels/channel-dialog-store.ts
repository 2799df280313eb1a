import { create } from 'zustand';
import type { Channel } from '#shared/contract/channels.ts';

type ChannelDialog =
  /** `file`: the new channel is for a device that it describes. */
  { readonly kind: 'add'; readonly file?: File } | { readonly kind: 'edit' | 'delete' | 'secrets'; readonly channel: Channel };

interface ChannelDialogState {
  readonly dialog: ChannelDialog | null;
}

/** Which channel dialog is open. */
export const useChannelDialogStore = create<ChannelDialogState>()(() => ({ dialog: null }));

/** Opens the dialog to add a channel, or to edit or delete the given one, or its passwords. */
export function openChannelDialog(dialog: ChannelDialog): void {
  useChannelDialogStore.setState({ dialog });
}

/** Closes the channel dialog. */
export function closeChannelDialog(): void {
  useChannelDialogStore.setState({ dialog: null });
}
