import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { FrameType } from '#shared/domain/enums.ts';
import { useIsActiveArea } from '../../app/area.tsx';
import { isCovered } from '../../commands/registry.ts';
import { notifyProblem } from '../../ui/notify.ts';
import { openImport } from '../point-files/point-files-store.ts';

/** True where a text is written that the clipboard belongs to. */
function isText(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input:not([type="checkbox"]), textarea, [contenteditable]');
}

/** Rows of the clipboard go through the preview of an import: by Ctrl+V while the table is in the work area that was worked in last, and by the answered command. */
export function usePaste(channelId: number, frameType: FrameType | null): () => void {
  const { t } = useTranslation('edit');
  const isActive = useIsActiveArea();
  const type = frameType === null ? 'all' : (String(frameType) as `${FrameType}`);
  function take(text: string) {
    if (/[\t\n]/.test(text.trim())) openImport(channelId, { text, type });
    else notifyProblem(t('paste.noRows'));
  }
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (!isActive || isText(event.target) || isCovered()) return;
    event.preventDefault();
    take(event.clipboardData?.getData('text/plain') ?? '');
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onPaste(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, []);
  return () => {
    // not every browser gives the clipboard without the key
    const ask = () => openImport(channelId, { text: null, type });
    if (typeof navigator.clipboard?.readText !== 'function') ask();
    else navigator.clipboard.readText().then(take, ask);
  };
}
