import { z } from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { RUN_WAYS } from './start-draft.ts';

/** A remark that was written for an item and waits for its result. */
const PendingRemark = z.object({ sessionId: z.int(), item: z.string(), code: z.string(), text: z.string() });
export type PendingRemark = Readonly<z.infer<typeof PendingRemark>>;

const Kept = z.object({
  operator: z.string().max(100).catch(''),
  isSpoken: z.boolean().catch(false),
  way: z.enum(RUN_WAYS).catch('guided'),
  sessionId: z.int().nullable().catch(null),
  remark: PendingRemark.nullable().catch(null),
});

/** What the check remembers of the person in front of this browser; `sessionId`: the session that was looked at last; `way`: how a check was begun last. */
export type CheckMemory = Readonly<z.infer<typeof Kept>>;

/** Kept in this browser, so that a page that is loaded anew loses no remark. */
export const useCheckMemory = create<CheckMemory>()(
  persist((): CheckMemory => Kept.parse({}), {
    name: 'loopcheck.check',
    version: 1,
    merge: (stored) => {
      const read = Kept.safeParse(stored ?? {});
      return read.success ? read.data : Kept.parse({});
    },
  }),
);

/** Dialogs of the check; those of items are for what is selected in the table. */
export type CheckDialog =
  | { readonly kind: 'new' | 'file'; readonly sessionId?: undefined }
  | { readonly kind: 'edit' | 'delete' | 'add' | 'record' | 'start'; readonly sessionId: number };

interface CheckScreen {
  readonly dialog: CheckDialog | null;
}

export const useCheckScreen = create<CheckScreen>()(() => ({ dialog: null }));

/** Opens a dialog, or closes it with null. */
export function showCheckDialog(dialog: CheckDialog | null): void {
  useCheckScreen.setState({ dialog });
}
