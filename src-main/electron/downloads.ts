import { join } from 'node:path';
import { app, type Session } from 'electron';

/** Files of our own pages are made in the page and come from an address like `blob:app://loopcheck/…`. */
const OWN_FILE = /^blob:/;

export interface DownloadOptions {
  /** True for addresses of our own pages. */
  isOwnPage(url: string): boolean;
  /** Title of the dialog that asks where to put a file. */
  readonly title: string;
}

/** Files that our pages make are saved where a person says; nothing else is ever downloaded. */
export function setupDownloads(session: Session, { isOwnPage, title }: DownloadOptions): void {
  session.on('will-download', (event, item) => {
    const url = item.getURL();
    if (!OWN_FILE.test(url) || !isOwnPage(url.replace(OWN_FILE, ''))) {
      event.preventDefault();
      return;
    }
    item.setSaveDialogOptions({ title, defaultPath: join(app.getPath('downloads'), item.getFilename()) });
  });
}
