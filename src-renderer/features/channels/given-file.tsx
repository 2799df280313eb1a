import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { WindowBridge } from '#shared/client/window-bridge.ts';
import { isCovered } from '../../commands/registry.ts';
import { notifyProblem } from '../../ui/notify.ts';
import { openChannelDialog } from './channel-dialog-store.ts';

/** Begins a new channel with the file that the window was given by the explorer of the system; draws nothing, and does nothing in a browser. */
export function GivenFile() {
  const { t } = useTranslation('channels');
  useEffect(() => {
    const bridge = window.loopcheck;
    if (!bridge) return;
    const take = async ({ takeFile }: WindowBridge) => {
      const given = await takeFile();
      if (!given) return;
      // what is half entered is not pushed aside
      if (isCovered()) notifyProblem(t('fromFile.covered', { file: given.name }));
      else openChannelDialog({ kind: 'add', file: new File([new Uint8Array(given.bytes)], given.name) });
    };
    const hear = () => void take(bridge).catch(() => undefined);
    hear();
    return bridge.onFileGiven(hear);
  }, [t]);
  return null;
}
