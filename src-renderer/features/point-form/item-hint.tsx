import { Anchor } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { useOperation } from '../../api/hooks.ts';
import { formatHex } from '../../ui/address.ts';
import { Icon } from '../../ui/icons.tsx';
import classes from './item-hint.module.css';

interface ItemHintProps {
  readonly protocolType: Channel['protocol_type'];
  /** The address of the form; anything but a number shows nothing. */
  readonly address: unknown;
  /** Settings of the point as the form has them. */
  readonly edition: unknown;
  readonly format: unknown;
  /** Takes what was probably meant. */
  onUse(address: number, protocol: Readonly<Record<string, unknown>>): void;
}

const PAUSE_MS = 200;

/** What the protocol knows of the address that is being written: name, format, unit; else what was probably meant. */
export function ItemHint({ protocolType, address, edition, format, onUse }: ItemHintProps) {
  const { t, i18n } = useTranslation('fields');
  const [asked] = useDebouncedValue(typeof address === 'number' ? address : null, PAUSE_MS);
  const input = {
    protocol_type: protocolType,
    address: String(asked ?? 0),
    ...(typeof edition === 'number' ? { edition } : {}),
  };
  const hint = useOperation('pointHint', input, { enabled: asked !== null });
  if (asked === null || !hint.data) return null;
  const { address_text: identifier, item, suggestion } = hint.data;
  const named = (names: { readonly name_zh: string; readonly name_en: string }) =>
    i18n.language.startsWith('zh') ? names.name_zh : names.name_en;
  if (item) {
    return (
      <p className={classes.hint} data-testid="item-hint" data-known="true">
        <Icon name="info" size={14} />
        <span>
          <b className="lc-mono">{identifier}</b> {named(item)} · {item.format}
          {item.unit ? ` · ${item.unit}` : ''}
          {item.writable ? ` · ${t('itemHint.writable')}` : ''}
        </span>
      </p>
    );
  }
  const hasFormat = typeof format === 'string' && format.trim() !== '';
  return (
    <p className={hasFormat ? classes.hint : classes.unknown} data-testid="item-hint" data-known="false">
      <Icon name={hasFormat ? 'info' : 'warn'} size={14} />
      <span>
        {t(hasFormat ? 'itemHint.ownFormat' : 'itemHint.unknown', { identifier })}
        {suggestion ? (
          <>
            {' '}
            <Anchor component="button" type="button" size="xs" onClick={() => onUse(suggestion.address, suggestion.protocol)}>
              {t('itemHint.use', {
                address: formatHex(suggestion.address),
                name: named(suggestion),
                edition: String(suggestion.protocol.edition ?? ''),
              })}
            </Anchor>
          </>
        ) : null}
      </span>
    </p>
  );
}
