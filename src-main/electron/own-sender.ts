import type { IpcMainInvokeEvent, WebContents } from 'electron';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { isOwnPage } from './pages.ts';

export interface OwnWindow {
  /** Contents of the one window; null while there is none. */
  contents(): WebContents | null;
  readonly devServer: string | null;
}

/** Lets the main frame of our window pass while it shows one of our pages; throws `ACCESS_ORIGIN` for everybody else. */
export function requireOwnSender(event: IpcMainInvokeEvent, { contents: ofWindow, devServer }: OwnWindow): void {
  const contents = ofWindow();
  const frame = event.senderFrame;
  const isOurs = contents !== null && event.sender === contents && frame !== null && frame === contents.mainFrame;
  if (!isOurs || !isOwnPage(frame.url, devServer)) throw new AppError('ACCESS_ORIGIN', say('app.window_only'));
}
