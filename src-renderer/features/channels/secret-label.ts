import { useTranslation } from 'react-i18next';
import { fields } from '../../i18n/en/fields.ts';

const isKnown = (name: string): name is keyof typeof fields.secretOf => name in fields.secretOf;

/** Words for a secret by its name: `password_04` is the password of level 04; one without a translation is spelled out. */
export function useSecretLabel(): (name: string) => string {
  const { t } = useTranslation(['fields', 'channels']);
  return (name) => {
    const level = /^password_(\d\d)$/.exec(name)?.[1];
    if (level !== undefined) return t('channels:secrets.ofLevel', { level });
    if (isKnown(name)) return t(`fields:secretOf.${name}`);
    const words = name.replaceAll('_', ' ');
    return words.charAt(0).toUpperCase() + words.slice(1);
  };
}
