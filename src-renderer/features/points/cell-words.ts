import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { FrameType, Quality } from '#shared/domain/enums.ts';
import { type inWords, useWords } from '../../i18n/words.ts';
import { useStateText } from '../write/value-words.ts';
import type { WriteObstacle } from '../write/write-rules.ts';

const TYPE_WORDS = { 0: 'types.yc', 1: 'types.yx', 2: 'types.yk', 3: 'types.yt' } as const satisfies Record<FrameType, string>;
/** More ages than a table has at once are not kept. */
const MOST_KEPT = 1000;
/** Stands where a code comes; none has it. */
const CODE = '\u0000';

type RowAction = 'readLong' | 'serveLong' | 'writeLong';

/** What a cell says, translated once for all rows: a table that is scrolled says the same few words thousands of times. */
export interface CellWords {
  readonly t: TFunction<'points'>;
  readonly events: TFunction<'events'>;
  readonly said: typeof inWords;
  readonly state: ReturnType<typeof useStateText>;
  readonly select: string;
  readonly never: string;
  quality(quality: Quality): string;
  type(type: FrameType): string;
  /** Of a unit and a count: `s 12`. */
  age(age: `${'s' | 'min' | 'h' | 'd'} ${number}`): string;
  why(reason: WriteObstacle | 'notStarted'): string;
  action(action: RowAction): { readonly words: string; forPoint(code: string): string };
}

/** `of`, asked once for each key. */
function once<Key, Words>(of: (key: Key) => Words): (key: Key) => Words {
  const known = new Map<Key, Words>();
  return (key) => {
    const there = known.get(key);
    if (there !== undefined) return there;
    if (known.size >= MOST_KEPT) known.clear();
    const words = of(key);
    known.set(key, words);
    return words;
  };
}

function ageWords(t: TFunction<'points'>): CellWords['age'] {
  return once((age) => {
    const [unit, count] = age.split(' ') as ['s' | 'min' | 'h' | 'd', string];
    return t(`age.${unit}`, { count: Number(count) });
  });
}

function actionWords(t: TFunction<'points'>): CellWords['action'] {
  return once((action) => {
    const words = t(`action.${action}`);
    const [before, behind] = t('action.forPoint', { action: words, code: CODE }).split(CODE);
    return { words, forPoint: (code) => `${before}${code}${behind ?? ''}` };
  });
}

/** The words of the cells; the same object until the language changes. */
export function useCellWords(): CellWords {
  const { t } = useTranslation('points');
  const { t: events } = useTranslation('events');
  const said = useWords();
  const state = useStateText();
  return useMemo(
    () => ({
      t,
      events,
      said,
      state,
      select: t('column.select'),
      never: t('never'),
      quality: once((quality: Quality) => t(`quality.${quality}`)),
      type: once((type: FrameType) => t(TYPE_WORDS[type])),
      why: once((reason: WriteObstacle | 'notStarted') => t(`why.${reason}`)),
      age: ageWords(t),
      action: actionWords(t),
    }),
    [t, events, said, state],
  );
}
