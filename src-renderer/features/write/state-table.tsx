import { useTranslation } from 'react-i18next';
import type { CommandStateItem } from '#shared/contract/points.ts';
import { useWords } from '../../i18n/words.ts';
import { Icon } from '../../ui/icons.tsx';
import classes from './write.module.css';

interface StateTableProps {
  readonly items: readonly CommandStateItem[];
  readonly label: string;
}

/** What a device says of itself around a command, each with what it means for it. */
export function StateTable({ items, label }: StateTableProps) {
  const { i18n } = useTranslation();
  const words = useWords();
  return (
    <table className={classes.states} aria-label={label} lang={i18n.language}>
      <tbody>
        {items.map((item) => (
          <tr key={item.name} data-state={item.name}>
            <th scope="row">
              {words(item.label_message, item.label)} <span className="lc-mono">{item.name}</span>
            </th>
            <td>{words(item.value_message, item.value)}</td>
            <td className={classes.remark}>
              {item.remark === null ? null : (
                <span>
                  <Icon name="warn" size={13} /> {words(item.remark_message, item.remark)}
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
