import { ipcMain, type MenuItemConstructorOptions } from 'electron';
import { z } from 'zod';
import { IPC, type PageMenu, type PageMenuItem } from '#shared/client/window-bridge.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type OwnWindow, requireOwnSender } from './own-sender.ts';

/** Far more than there are; what a page that went wrong sends stays small. */
const MOST_GROUPS = 10;
const MOST_ITEMS = 100;
const words = z.string().min(1).max(300);

const Item = z.object({
  id: z.string().min(1).max(100),
  words,
  key: z.string().max(40).nullable(),
  isEnabled: z.boolean(),
}) satisfies z.ZodType<PageMenuItem>;

const Sent = z.object({
  language: z.enum(['zh-CN', 'en']),
  groups: z.array(z.object({ words, items: z.array(Item).max(MOST_ITEMS) })).max(MOST_GROUPS),
}) satisfies z.ZodType<PageMenu>;

const KEY = /^(mod\+)?(alt\+)?(shift\+)?(?:Arrow(Up|Down|Left|Right)|(F(?:[1-9]|1[0-2])|Insert|[A-Z0-9]|[,.;/\\=[\]'-]))$/;

/** A key of the pages as Electron writes it; null for one that Electron does not have, which would make the whole menu fail. */
export function acceleratorOf(key: string): string | null {
  const [, mod, alt, shift, arrow, single] = KEY.exec(key) ?? [];
  const last = arrow ?? single;
  if (last === undefined) return null;
  return [...(mod ? ['CommandOrControl'] : []), ...(alt ? ['Alt'] : []), ...(shift ? ['Shift'] : []), last].join('+');
}

/** In a menu `&` marks the letter that chooses an item; names of channels may have one. */
function label(text: string): string {
  return text.replaceAll('&', '&&');
}

export interface PageMenuOptions extends OwnWindow {
  /** Shows what the pages offer, in their language. */
  show(language: PageMenu['language'], groups: readonly MenuItemConstructorOptions[]): void;
}

/** Takes the commands of the pages of our window, and of nobody else, into the menu; what is chosen there goes back to the page by its id. */
export function setupPageMenu(options: PageMenuOptions): void {
  const itemOf = ({ id, words: text, key, isEnabled }: PageMenuItem): MenuItemConstructorOptions => {
    const accelerator = key === null ? null : acceleratorOf(key);
    return {
      label: label(text),
      enabled: isEnabled,
      // shown only: the page hears its keys itself, and knows when they rest
      ...(accelerator === null ? {} : { accelerator, registerAccelerator: false }),
      click: () => options.contents()?.send(IPC.command, id),
    };
  };
  ipcMain.handle(IPC.menu, (event, sent: unknown) => {
    requireOwnSender(event, options);
    const menu = Sent.safeParse(sent);
    if (!menu.success) throw new AppError('CONFIG_INVALID', say('app.window_no_menu'));
    const groups = menu.data.groups.filter(({ items }) => items.length > 0);
    options.show(
      menu.data.language,
      groups.map((group) => ({ label: label(group.words), submenu: group.items.map(itemOf) })),
    );
  });
}
