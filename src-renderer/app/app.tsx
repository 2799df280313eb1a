import { useTranslation } from 'react-i18next';

export function App() {
  const { t } = useTranslation('app');
  return <h1>{t('product')}</h1>;
}
