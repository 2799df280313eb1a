import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublisherTarget } from '#shared/contract/publish.ts';

interface AuthorityFieldProps {
  readonly target: PublisherTarget;
  /** What the service says against it. */
  readonly issue: ReactNode;
  onChange(part: { readonly ca: string | undefined }): void;
}

/** The certificate of a private authority; shown where the connection is encrypted, and where one is left from before. */
export function AuthorityField({ target, issue, onChange }: AuthorityFieldProps) {
  const { t } = useTranslation('publish');
  const isEncrypted = target.kind === 'postgresql' ? target.tls : /^(mqtts|https):/.test(target.url);
  if (!isEncrypted && target.ca === undefined) return null;
  return (
    <Textarea
      label={t('field.ca')}
      description={t('field.caHint')}
      value={target.ca ?? ''}
      onChange={({ currentTarget: { value } }) => onChange({ ca: value.trim() === '' ? undefined : value })}
      error={issue}
      placeholder="-----BEGIN CERTIFICATE-----"
      minRows={2}
      maxRows={6}
      autosize
      spellCheck={false}
      data-testid="publisher-ca"
    />
  );
}
