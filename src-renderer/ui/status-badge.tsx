import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';
import classes from './status-badge.module.css';

/** What a state means for a person: fine, under way, look at it, broken, resting. */
export type Tone = 'ok' | 'busy' | 'warn' | 'bad' | 'idle';

const ICON_OF: Record<Tone, IconName> = { ok: 'ok', busy: 'busy', warn: 'warn', bad: 'bad', idle: 'idle' };

/** The class that gives text the colour of a tone. */
export function toneClass(tone: Tone): string {
  return classes[tone] ?? '';
}

interface StatusBadgeProps {
  readonly tone: Tone;
  /** The state in a word: colour and icon alone say nothing to some readers. */
  readonly children: ReactNode;
  readonly icon?: IconName;
  /** With a border, for states that must not be overlooked. */
  readonly outlined?: boolean;
  readonly title?: string;
}

/** A state as icon, colour and word together. */
export function StatusBadge({ tone, children, icon, outlined = false, title }: StatusBadgeProps) {
  return (
    <span className={`${classes.badge} ${toneClass(tone)} ${outlined ? classes.outlined : ''}`} {...(title ? { title } : {})}>
      <Icon name={icon ?? ICON_OF[tone]} size={14} />
      {children}
    </span>
  );
}
