import { useTranslation } from 'react-i18next';
import type { WriteTarget } from './write-store.ts';

/** Where the effect of a write can be seen when its answer does not tell: the related point, else the device itself. */
export function WhereToLook({ target }: { readonly target: WriteTarget }) {
  const { t } = useTranslation('points');
  const { related_code: code } = target.point;
  return <span>{code ? t('write.lookRelated', { code }) : t('write.lookDevice')}</span>;
}
