import { useTranslation } from 'react-i18next';
import { isServing } from '#shared/domain/enums.ts';
import { hexAddress, type Notation, PLAIN_NOTATION, slaveText } from '#shared/domain/notation.ts';
import { termsOf, useNotation, useProtocol } from '../channels/protocol-facts.ts';
import { valueText } from '../points/point-text.ts';
import { useRowText, withUnit } from './value-words.ts';
import classes from './write.module.css';
import type { WriteTarget } from './write-store.ts';

/** The address as decimal and hexadecimal, a data identifier in hexadecimal only, or the reference, as both dialog steps name it. */
function addressText({ point }: WriteTarget, notation: Notation): string {
  const { form } = notation.address;
  if (form === 'reference') return point.reference;
  const hex = hexAddress(point.address, notation);
  return form === 'hexadecimal' ? hex : `${point.address} (${hex})`;
}

/** Address and slave of a point as part of a sentence, in the words of its protocol. */
export function usePlace(target: WriteTarget): string {
  const { t } = useTranslation('points');
  const notation = useNotation(target.channel.protocol_type);
  const terms = termsOf(notation);
  const address = t('write.placeAddress', { address: addressText(target, notation), context: terms.address });
  if (!notation.slave) return address;
  const slave = t('write.placeSlave', { slave: slaveText(target.point.slave_id, notation), context: terms.slave });
  return [address, slave].join(t('write.placeJoin'));
}

/** Where a write goes, spelled out: channel, point, address and what the point shows now. */
export function TargetSummary({ target }: { readonly target: WriteTarget }) {
  const { t } = useTranslation(['points', 'fields']);
  const { channel, point } = target;
  const rowText = useRowText();
  const protocol = useProtocol(channel.protocol_type);
  const notation = protocol?.notation ?? PLAIN_NOTATION;
  const terms = termsOf(notation);
  const isEcho = protocol?.echoes_commands === true && !isServing(channel.conn_type);
  const slave = ` · ${t('fields:place.slave', { context: terms.slave })} ${slaveText(point.slave_id, notation)}`;
  const place = `${addressText(target, notation)}${notation.slave ? slave : ''}`;
  return (
    <dl className={classes.target} data-testid="write-target">
      <dt>{t('points:write.channel')}</dt>
      <dd>{channel.name}</dd>
      <dt>{t('points:write.point')}</dt>
      <dd>
        <b>{point.code}</b> {point.name}
      </dd>
      {point.command_type ? (
        <>
          <dt>{t('fields:command_type')}</dt>
          <dd>{point.command_type}</dd>
        </>
      ) : null}
      <dt>{t('fields:place.address', { context: terms.address })}</dt>
      <dd>{point.bit === null ? place : `${place} · ${t('points:column.bit')} ${point.bit}`}</dd>
      <dt>{isEcho ? t('points:write.lastCommand') : t('points:write.current')}</dt>
      <dd>
        {rowText(point, withUnit(valueText(point), point.unit))} · {t(`points:quality.${point.quality}`)}
      </dd>
    </dl>
  );
}
