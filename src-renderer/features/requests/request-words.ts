import { create } from 'zustand';
import { type RequestForm, requestText } from '#shared/client/request-text.ts';
import type { ActionRequest } from '../../api/action-request.ts';
import { useOperation } from '../../api/hooks.ts';
import { shownService } from '../../api/service-place.ts';
import { i18n } from '../../i18n/index.ts';

export const FORM_NAMES: Readonly<Record<RequestForm, string>> = { curl: 'curl', powershell: 'PowerShell', python: 'Python' };

/** What requests are written for, as it was chosen last. */
export const useRequestForm = create<{ readonly form: RequestForm }>()(() => ({ form: 'curl' }));

/** Where the service is reached from: the page's own address, from the desktop window the one it listens on. Null: not known yet. */
export function useOrigin(): string | null {
  const info = useOperation('serviceInfo', {}).data;
  const remotes = useOperation('listRemotes', {}, { enabled: shownService !== null }).data;
  // a script asks the other service itself
  if (shownService !== null) return remotes?.items.find(({ id }) => id === shownService)?.address ?? null;
  if (!window.loopcheck) return window.location.origin;
  if (!info?.port) return null;
  return `${info.fingerprint === null ? 'http' : 'https'}://${info.host}:${info.port}`;
}

/** Actions as a text for a shell or a script; one that operates a device says so in front. */
export function actionsText(form: RequestForm, actions: readonly ActionRequest[], origin: string): string {
  const remark = i18n.t('requests:operates');
  const texts = actions.map(({ request, fileName, isDownload, effect }) =>
    requestText(form, {
      ...request,
      ...(fileName === null ? {} : { fileName }),
      origin,
      isDownload,
      ...(effect === 'command' ? { remark } : {}),
    }),
  );
  return texts.join('\n');
}
