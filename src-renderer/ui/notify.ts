import { notifications } from '@mantine/notifications';
import { type AppError, isCancelled } from '#shared/domain/errors.ts';
import { i18n } from '../i18n/index.ts';
import { inWords } from '../i18n/words.ts';

/** The button that closes a notification has a name for those who do not see its cross. */
function closable() {
  return { closeButtonProps: { 'aria-label': i18n.t('app:action.close') } };
}

/** Tells that something was done; with an id in the place of what was told under it before. Disappears by itself. */
export function notifyDone(message: string, id?: string): void {
  if (id !== undefined) notifications.hide(id);
  notifications.show({ ...(id === undefined ? {} : { id }), message, color: 'green', autoClose: 4000, withBorder: true, ...closable() });
}

/** Tells why what was asked for cannot be done now, in the place of the reason before. Disappears by itself. */
export function notifyReason(reason: string): void {
  const id = 'reason';
  notifications.hide(id);
  notifications.show({ id, message: reason, color: 'gray', autoClose: 4000, withBorder: true, ...closable() });
}

/** Tells in words what went wrong where nobody looks any more. Stays for a while. */
export function notifyProblem(message: string): void {
  notifications.show({ message, color: 'red', autoClose: 12_000, withBorder: true, ...closable() });
}

/** Tells of a failure whose place on the page is gone or has no room: what happened and the next step. Stays until it is closed. */
export function notifyError(error: AppError): void {
  if (isCancelled(error)) return;
  notifications.show({
    title: i18n.t(`errors:codes.${error.code}.title`),
    message: `${inWords(error.said, error.message)} ${i18n.t(`errors:codes.${error.code}.next`)}`,
    color: 'red',
    autoClose: 12_000,
    withBorder: true,
    ...closable(),
  });
}
