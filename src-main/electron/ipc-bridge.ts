import { ipcMain } from 'electron';
import { z } from 'zod';
import type { ApiTransport } from '#shared/client/client.ts';
import { IPC, type ProjectChoice } from '#shared/client/window-bridge.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type OwnWindow, requireOwnSender } from './own-sender.ts';

const Request = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  url: z.string().max(16_384),
  body: z.unknown().optional(),
  file: z.object({ name: z.string().max(1024), bytes: z.instanceof(Uint8Array) }).optional(),
  session: z.string().max(100).optional(),
});

const Choice = z.object({ kind: z.enum(['open', 'save']), path: z.string().max(4096) });

export interface BridgeOptions extends OwnWindow {
  /** The inner door of the core. */
  readonly transport: ApiTransport;
  /** Opens the file chooser of the system; null: nothing was chosen. */
  chooseProject(choice: ProjectChoice): Promise<string | null>;
}

/** Lets the pages of our window, and nobody else, call the API. */
export function setupIpcBridge(options: BridgeOptions): void {
  ipcMain.handle(IPC.api, (event, request: unknown) => {
    requireOwnSender(event, options);
    const parsed = Request.safeParse(request);
    if (!parsed.success) throw new AppError('CONFIG_INVALID', say('app.window_no_request'));
    const { method, url, body, file, session } = parsed.data;
    const carried = { ...(file ? { file } : {}), ...(body === undefined ? {} : { body }) };
    return options.transport({ method, url, ...carried, ...(session === undefined ? {} : { session }) });
  });
  ipcMain.handle(IPC.chooseProject, (event, request: unknown) => {
    requireOwnSender(event, options);
    const parsed = Choice.safeParse(request);
    if (!parsed.success) throw new AppError('CONFIG_INVALID', say('app.window_no_request'));
    return options.chooseProject(parsed.data);
  });
}
