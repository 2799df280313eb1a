import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageMenu } from '#shared/client/window-bridge.ts';
import { usePreferences } from '../app/preferences.ts';
import { notifyProblem } from '../ui/notify.ts';
import { COMMAND_GROUPS, type Command, isCovered, keyOf, runCommand, useRegistry } from './registry.ts';

/** A change of the screen changes many commands, one after the other. */
const PAUSE_MS = 100;

function useMenu(): PageMenu {
  const { t, i18n } = useTranslation('commands');
  const commands = useRegistry((state) => state.commands);
  const keys = usePreferences((state) => state.keys);
  const itemOf = (command: Command) => ({
    id: command.id,
    words: command.words,
    key: keyOf(command, keys) ?? null,
    isEnabled: command.reason === null,
  });
  return {
    language: i18n.language === 'en' ? 'en' : 'zh-CN',
    groups: COMMAND_GROUPS.map((group) => ({
      words: t(`group.${group}`),
      items: [...commands.values()].filter((command) => command.group === group).map(itemOf),
    })),
  };
}

/** Keeps the menu of the desktop window as the commands on the screen are; draws nothing, and does nothing in a browser. */
export function WindowMenu() {
  const { t } = useTranslation('commands');
  const menu = JSON.stringify(useMenu());
  useEffect(() => {
    const bridge = window.loopcheck;
    if (!bridge) return;
    // a menu that was not taken is the one of before: the palette has everything
    const timer = setTimeout(() => void bridge.showMenu(JSON.parse(menu) as PageMenu).catch(() => undefined), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [menu]);
  useEffect(
    () =>
      window.loopcheck?.onCommand((id) => {
        const command = useRegistry.getState().commands.get(id);
        if (isCovered() && !command?.worksCovered) notifyProblem(t('why.covered'));
        else if (command) runCommand(command);
      }),
    [t],
  );
  return null;
}
