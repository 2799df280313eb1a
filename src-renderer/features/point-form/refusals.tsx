import { useTranslation } from 'react-i18next';

/** Most places that are named when the service refuses; the first tells what is wrong with the others. */
const MOST_NAMED = 5;

interface RefusalsProps {
  /** Words by place in the request: `points.3.address`. */
  readonly issues: Readonly<Record<string, string>>;
  readonly testId: string;
  /** Code of the point at a place of the request. */
  codeAt(index: number): string | undefined;
  labelOf(field: string): string;
}

/** What the service refused, with the code of the point in place of its number in the request. */
export function Refusals({ issues, testId, codeAt, labelOf }: RefusalsProps) {
  const { t } = useTranslation('fields');
  const lines = Object.entries(issues).map(([path, text]) => {
    const [, index = '', ...rest] = path.split('.');
    const field = rest.filter((part) => part !== 'point').join('.');
    return t('bulk.refused', { code: codeAt(Number(index)) ?? index, field: labelOf(field), text });
  });
  return (
    <ul role="alert" data-testid={testId}>
      {lines.slice(0, MOST_NAMED).map((line) => (
        <li key={line}>{line}</li>
      ))}
      {lines.length > MOST_NAMED ? <li>{t('bulk.more', { count: lines.length - MOST_NAMED })}</li> : null}
    </ul>
  );
}
