import { useTranslation } from 'react-i18next';
import { isServing, ProtocolType } from '#shared/domain/enums.ts';
import { useProtocolKey } from '../channels/protocol-key.ts';
import { hexAddress, slaveText, valueText } from '../points/point-text.ts';
import classes from './write.module.css';
import type { WriteTarget } from './write-store.ts';

/** The address as decimal and hexadecimal, a data identifier in hexadecimal only, or the reference, as both dialog steps name it. */
export function addressText({ channel, point }: WriteTarget): string {
  if (channel.protocol_type === ProtocolType.iec61850) return point.reference;
  const hex = hexAddress(point.address, channel.protocol_type);
  return channel.protocol_type === ProtocolType.dlt645 ? hex : `${point.address} (${hex})`;
}

/** A value with the unit of its point. */
export function withUnit(text: string, unit: string): string {
  return unit ? `${text} ${unit}` : text;
}

/** Where a write goes, spelled out: channel, point, address and what the point shows now. */
export function TargetSummary({ target }: { readonly target: WriteTarget }) {
  const { t } = useTranslation(['points', 'fields']);
  const { channel, point } = target;
  const context = useProtocolKey(channel.protocol_type);
  // Commands of IEC 104 cannot be read: what their row shows is the last command, not a state of the device.
  const isEcho = channel.protocol_type === ProtocolType.iec104 && !isServing(channel.conn_type);
  const slave = ` · ${t('fields:place.slave', { context })} ${slaveText(point.slave_id, channel.protocol_type)}`;
  const place = channel.protocol_type === ProtocolType.iec61850 ? addressText(target) : `${addressText(target)}${slave}`;
  return (
    <dl className={classes.target} data-testid="write-target">
      <dt>{t('points:write.channel')}</dt>
      <dd>{channel.name}</dd>
      <dt>{t('points:write.point')}</dt>
      <dd>
        <b>{point.code}</b> {point.name}
      </dd>
      <dt>{t('fields:place.address', { context })}</dt>
      <dd>{point.bit === null ? place : `${place} · ${t('points:column.bit')} ${point.bit}`}</dd>
      <dt>{isEcho ? t('points:write.lastCommand') : t('points:write.current')}</dt>
      <dd>
        {withUnit(valueText(point), point.unit)} · {t(`points:quality.${point.quality}`)}
      </dd>
    </dl>
  );
}
