import { ActionIcon, Button, Text } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FrameEntry } from '#shared/contract/frames.ts';
import { useOperation } from '../../api/hooks.ts';
import { useWords } from '../../i18n/words.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PaneEdge, type PaneSize, usePaneWidth } from '../../ui/split-pane.tsx';
import { formatTime } from '../../ui/time.ts';
import { type FlatNode, flattenTree, nodeAtOctet, octetsOf, rangeText } from './explain-tree.ts';
import { FramePoints } from './frame-points.tsx';
import classes from './frames.module.css';

interface HexViewProps {
  readonly octets: readonly string[];
  readonly marked: { readonly start: number; readonly end: number } | null;
  onPoint(index: number | null): void;
}

/** Octets in lines of sixteen with the offset of each line. */
function toLines(octets: readonly string[]) {
  return Array.from({ length: Math.ceil(octets.length / 16) }, (_, line) => ({
    offset: line * 16,
    octets: octets.slice(line * 16, line * 16 + 16),
  }));
}

/** All octets of the frame, sixteen a line; the range of the marked node stands out, pointing at an octet marks its meaning. */
function HexView({ octets, marked, onPoint }: HexViewProps) {
  const { t } = useTranslation('frames');
  const pointing = {
    onMouseOver: (event: MouseEvent<HTMLElement>) => {
      const index = event.target instanceof HTMLElement ? event.target.dataset.index : undefined;
      onPoint(index === undefined ? null : Number(index));
    },
    onMouseLeave: () => onPoint(null),
  };
  return (
    <div
      {...pointing}
      className={classes.hex}
      role="img"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      aria-label={`${t('explain.octets')}: ${octets.join(' ')}`}
      data-testid="explain-hex"
    >
      {toLines(octets).map((line) => (
        <div key={line.offset} className={classes.hexLine}>
          <span className={classes.offset}>{line.offset.toString(16).toUpperCase().padStart(4, '0')}</span>
          {line.octets.map((octet, column) => {
            const index = line.offset + column;
            const isMarked = marked !== null && index >= marked.start && index < marked.end;
            return (
              <span
                key={index}
                data-index={index}
                className={isMarked ? classes.octetMarked : classes.octet}
                data-marked={isMarked || undefined}
              >
                {octet}
              </span>
            );
          })}
        </div>
      ))}
    </div>
  );
}

interface TreeProps {
  readonly flat: readonly FlatNode[];
  readonly chosen: string | null;
  readonly pointed: string | null;
  onChoose(path: string): void;
  onPoint(path: string | null): void;
}

/** The meaning of the octets as a tree, all of it open; arrow keys walk it. */
function ExplainTree({ flat, chosen, pointed, onChoose, onPoint }: TreeProps) {
  const { t } = useTranslation('frames');
  const words = useWords();
  function onKeyDown(event: KeyboardEvent) {
    const at = flat.findIndex((item) => item.path === chosen);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const next = flat[Math.min(flat.length - 1, Math.max(0, at + step))];
    if (step === 0 || !next) return;
    onChoose(next.path);
    document.getElementById(`node-${next.path}`)?.scrollIntoView({ block: 'nearest' });
    event.preventDefault();
  }
  return (
    <div
      role="tree"
      tabIndex={0}
      className={classes.tree}
      aria-label={t('explain.tree')}
      {...(chosen === null ? {} : { 'aria-activedescendant': `node-${chosen}` })}
      onKeyDown={onKeyDown}
      data-testid="explain-tree"
    >
      {flat.map(({ path, depth, node, position, siblings }) => {
        const range = rangeText(node.start, node.end);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the tree has the focus and the keys
          <div
            key={path}
            id={`node-${path}`}
            role="treeitem"
            aria-level={depth}
            aria-posinset={position}
            aria-setsize={siblings}
            aria-selected={path === chosen}
            className={`${classes.node} ${path === pointed ? classes.nodePointed : ''}`}
            style={{ paddingLeft: 8 + (depth - 1) * 16 }}
            onClick={() => onChoose(path)}
            onMouseEnter={() => onPoint(path)}
            onMouseLeave={() => onPoint(null)}
          >
            {node.severity === 'info' ? null : (
              <span className={node.severity === 'error' ? classes.severe : classes.warned}>
                <Icon name={node.severity === 'error' ? 'bad' : 'warn'} size={13} label={t(`explain.${node.severity}`)} />
              </span>
            )}
            <span className={classes.nodeName}>{words(node.name_message, node.name)}</span>
            <span className={classes.nodeValue}>{words(node.value_message, node.value)}</span>
            <span className={classes.nodeRange} title={range ? t('explain.octetRange', { range }) : undefined}>
              {range}
            </span>
          </div>
        );
      })}
    </div>
  );
}

interface CopyState {
  readonly text: string;
}

function useCopy(hex: string) {
  const { t } = useTranslation('frames');
  const [state, setState] = useState<CopyState | null>(null);
  async function copy() {
    try {
      await navigator.clipboard.writeText(hex);
      setState({ text: t('explain.copied') });
    } catch {
      setState({ text: t('explain.copyFailed') });
    }
  }
  return { copied: state?.text ?? '', copy };
}

interface FrameExplanationProps {
  readonly channelId: number;
  readonly entry: FrameEntry;
  onClose(): void;
}

const EXPLANATION: PaneSize = { name: 'explanation', usual: 440, least: 260, most: 900 };

/** One frame taken apart: its octets, and what each of them means. */
export function FrameExplanation({ channelId, entry, onClose }: FrameExplanationProps) {
  const { t } = useTranslation('frames');
  const words = useWords();
  const explained = useOperation('explainFrame', { channel_id: channelId, seq: entry.seq });
  // an answer may have come since the list was read
  const told = explained.data?.entry ?? entry;
  const width = usePaneWidth(EXPLANATION);
  const [chosen, setChosen] = useState<string | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const { copied, copy } = useCopy(entry.hex);
  const flat = useMemo(() => flattenTree(explained.data?.nodes ?? []), [explained.data]);
  const marked = flat.find((item) => item.path === (pointed ?? chosen))?.node ?? null;
  const octets = octetsOf(entry.hex);
  const isGone = explained.error?.code === 'CONFIG_NOT_FOUND';
  return (
    <aside
      className={classes.explain}
      style={{ width }}
      aria-label={t('explain.title', { seq: entry.seq })}
      data-testid="frame-explanation"
    >
      <PaneEdge size={EXPLANATION} label={t('explain.edge')} side="left" />
      <div className={classes.explainHead}>
        <div className={classes.explainTitle}>
          <Text fw={600}>{t('explain.title', { seq: entry.seq })}</Text>
          <Text size="xs" c="dimmed">
            {`${t(`kindLong.${entry.kind}`)} · ${formatTime(entry.at)} · ${t('explain.bytes', { count: entry.length })}`}
            {entry.link === null ? '' : ` · ${t('explain.request', { seq: entry.link })}`}
            {typeof told.answer === 'number' ? ` · ${t('explain.answer', { seq: told.answer })}` : ''}
            {typeof told.latency_ms === 'number' ? ` · ${t('explain.latency', { ms: told.latency_ms.toFixed(2) })}` : ''}
          </Text>
        </div>
        <ActionIcon aria-label={t('explain.close')} title={`${t('explain.close')} (Esc)`} onClick={onClose}>
          <Icon name="close" />
        </ActionIcon>
      </div>
      <Text size="xs" c="dimmed" className="lc-ellipsis" title={entry.peer}>
        {entry.peer}
      </Text>
      <Text className={classes.summary}>{words(entry.text_message, entry.text)}</Text>
      {octets.length > 0 ? (
        <>
          <HexView
            octets={octets}
            marked={marked}
            onPoint={(index) => setPointed(index === null ? null : (nodeAtOctet(flat, index)?.path ?? null))}
          />
          <div className={classes.copyLine}>
            <Button variant="default" size="compact-xs" leftSection={<Icon name="copy" size={12} />} onClick={() => void copy()}>
              {t('explain.copy')}
            </Button>
            <Text size="xs" c="dimmed" role="status">
              {copied}
            </Text>
          </div>
        </>
      ) : null}
      <FramePoints channelId={channelId} seq={entry.seq} />
      {isGone ? <Text c="dimmed">{t('explain.gone')}</Text> : <ErrorNotice error={explained.error} compact />}
      {flat.length > 0 ? (
        <ExplainTree flat={flat} chosen={chosen} pointed={pointed} onChoose={setChosen} onPoint={setPointed} />
      ) : explained.data ? (
        <Text c="dimmed">{t('explain.none')}</Text>
      ) : null}
    </aside>
  );
}
