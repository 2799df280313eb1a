import type { WindowBridge } from '#shared/client/window-bridge.ts';

const KEY = 'loopcheck.service';
/** Below it everything is about this service, whichever one is shown. */
const OWN = '/api/remotes/';

/** Number of the other service that this page shows; null: the one it came from. It stays the same as long as the page lives. */
export const shownService: number | null = storedService();

/** What only the window of this computer has (file choosers, printing): of no use for another service. */
export function ownWindow(): WindowBridge | undefined {
  return shownService === null ? window.loopcheck : undefined;
}

function storedService(): number | null {
  const stored = sessionStorage.getItem(KEY) ?? '';
  return /^[1-9]\d{0,8}$/.test(stored) ? Number(stored) : null;
}

/** Where a request of the page goes: to the shown service, through the one the page came from. */
export function placedUrl(url: string, service: number | null = shownService): string {
  return service === null || url.startsWith(OWN) ? url : url.replace(/^\/api\//, `/api/remote/${service}/`);
}

/**
 * Shows another service, or with null the one the page came from, and one of its channels. The page is loaded anew: whatever it holds (ids, what is armed, what is
 * half entered) belongs to the service it was made for.
 */
export function showService(service: number | null, channelId: number | null = null): void {
  if (service === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, String(service));
  window.history.replaceState(null, '', channelId === null ? '#' : `#/channel/${channelId}/points`);
  window.location.reload();
}
