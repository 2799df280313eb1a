import { useTranslation } from 'react-i18next';
import type { AppError } from '#shared/domain/errors.ts';
import classes from '../../app/app.module.css';
import { Icon } from '../../ui/icons.tsx';

/** Says that the service is away, as long as it is. The polls of the pages find it again. */
export function ServiceBanner({ error }: { readonly error: AppError | null }) {
  const { t } = useTranslation('app');
  if (!error || error.code === 'ACCESS_TOKEN') return <div />;
  return (
    <div className={classes.banner} role="alert" data-testid="service-banner">
      <Icon name="warn" />
      <b>{t('service.unreachable')}</b>
      <span className={classes.bannerText}>{t('service.unreachableHint')}</span>
    </div>
  );
}
