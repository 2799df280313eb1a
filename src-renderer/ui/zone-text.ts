import { useTranslation } from 'react-i18next';
import { usePreferences } from '../app/preferences.ts';
import { LOCAL_ZONE, UTC_ZONE } from './time-zone.ts';

/** A zone as it is named to people. */
export function useZoneName(): (zone: string) => string {
  const { t } = useTranslation('settings');
  return (zone) => (zone === LOCAL_ZONE ? t('zone.local') : zone === UTC_ZONE ? t('zone.utc') : `UTC${zone}`);
}

/** The zone that times are shown and entered in, as it is named to people. */
export function useZoneText(): string {
  return useZoneName()(usePreferences((state) => state.timeZone));
}
