import { app, type Session, shell, type WebContents } from 'electron';
import { isGuidePath } from '#shared/domain/guide-pages.ts';
import { isOwnPage } from './pages.ts';

/** Paths of the local service that may be opened in the system's browser by a link of a page. */
const BROWSER_PATHS: readonly string[] = ['/docs', '/api/openapi.json'];

export interface SecurityOptions {
  /** Address of the development server, null in a packaged program. */
  readonly devServer: string | null;
  /** Address of the local service, `http://127.0.0.1:8991`; null before it listens. */
  serviceUrl(): string | null;
}

/** Rules for every page the program will ever hold: no navigation away, no window, no embedded page. Call it before the app is ready. */
export function hardenContents(options: SecurityOptions): void {
  app.enableSandbox();
  app.on('web-contents-created', (_event, contents) => hardenOne(contents, options));
}

function hardenOne(contents: WebContents, options: SecurityOptions): void {
  const stayInside = (event: { preventDefault(): void; url: string }) => {
    if (!isOwnPage(event.url, options.devServer)) event.preventDefault();
  };
  contents.on('will-navigate', stayInside);
  contents.on('will-redirect', stayInside);
  contents.on('will-frame-navigate', stayInside);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const target = browserTarget(url, options);
    if (target) void shell.openExternal(target);
    return { action: 'deny' };
  });
}

/** What a link to a new window opens in the system's browser: the description of the API and the guide, nothing else. */
function browserTarget(url: string, options: SecurityOptions): string | null {
  const serviceUrl = options.serviceUrl();
  if (!serviceUrl || !URL.canParse(url)) return null;
  const { pathname, hash } = new URL(url);
  const isOurs = isOwnPage(url, options.devServer) || url.startsWith(`${serviceUrl}/`);
  if (isOurs && isGuidePath(pathname)) return `${serviceUrl}${pathname}${hash}`;
  return isOurs && BROWSER_PATHS.includes(pathname) ? `${serviceUrl}${pathname}` : null;
}

/** Pages may write text to the clipboard; every other permission and every device is refused. */
export function denyPermissions(session: Session, devServer: string | null): void {
  const isAllowed = (permission: string, url: string) => permission === 'clipboard-sanitized-write' && isOwnPage(url, devServer);
  session.setPermissionRequestHandler((contents, permission, callback) => callback(isAllowed(permission, contents.getURL())));
  session.setPermissionCheckHandler((contents, permission) => contents !== null && isAllowed(permission, contents.getURL()));
  session.setDevicePermissionHandler(() => false);
}
