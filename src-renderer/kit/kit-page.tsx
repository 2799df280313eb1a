import { Button, Group, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { setLanguage } from '../i18n/index.ts';
import { SmallTable } from '../ui/data-grid/small-table.tsx';
import { ChooseFile, DropZone, FileReading } from '../ui/drop-zone.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { GuardedButton, GuardedIcon } from '../ui/guarded-button.tsx';
import { Icon } from '../ui/icons.tsx';
import { PaneEdge, type PaneSize, usePaneWidth } from '../ui/split-pane.tsx';
import { StatusBadge, type Tone } from '../ui/status-badge.tsx';
import { Empty, Holes, ManyRows } from './grid-samples.tsx';
import classes from './kit.module.css';

const TONES: readonly Tone[] = ['ok', 'busy', 'warn', 'bad', 'idle'];
const FONTS = ['--lc-font-title', '--lc-font', '--lc-font-small', '--lc-font-tiny'] as const;
const GAPS = ['--lc-cell', '--lc-gap', '--lc-edge', '--lc-row'] as const;

/** One part by its name in the source. */
function Part({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <section className={classes.part} aria-label={name}>
      <h2 className={classes.name}>{name}</h2>
      {children}
    </section>
  );
}

function Tokens() {
  return (
    <>
      <Part name="type scale">
        {FONTS.map((token) => (
          <p key={token} className={classes.line} style={{ fontSize: `var(${token})` }}>
            {token} 312.3 V 电压
          </p>
        ))}
      </Part>
      <Part name="spacing">
        {GAPS.map((token) => (
          <p key={token} className={classes.line}>
            <span className={classes.bar} style={{ width: `var(${token})` }} /> {token}
          </p>
        ))}
      </Part>
    </>
  );
}

function Small() {
  const { t } = useTranslation('points');
  return (
    <SmallTable
      label="SmallTable"
      columns={[
        { id: 'code', name: t('column.code'), isRowHeader: true, cell: (row) => row.code },
        { id: 'value', name: t('column.value'), align: 'right', cell: (row) => row.value },
        { id: 'quality', name: t('column.quality'), isShort: true, cell: (row) => <StatusBadge tone={row.tone}>{row.tone}</StatusBadge> },
      ]}
      rows={TONES.map((tone, index) => ({ code: `BMS${index}`, value: 312.3 + index, tone }))}
      keyOf={(row) => row.code}
    />
  );
}

const SAMPLE: PaneSize = { name: 'sample', usual: 200, least: 80, most: 400 };

function Split() {
  const width = usePaneWidth(SAMPLE);
  return (
    <div className={classes.split}>
      <div className={classes.splitPane} style={{ width }}>
        <PaneEdge size={SAMPLE} label="SAMPLE" side="right" /> {width} px
      </div>
    </div>
  );
}

/** All parts of the pages in all their states: for those who build them, and for the pictures. Reached by `#/kit` alone. */
export default function KitPage() {
  const { t, i18n } = useTranslation(['points', 'commands', 'grid', 'files']);
  const [round, setRound] = useState(0);
  const { setColorScheme } = useMantineColorScheme();
  return (
    <main className={classes.page} data-testid="kit">
      <Group gap="sm">
        <SegmentedControl
          aria-label={t('commands:language')}
          data={['en', 'zh-CN']}
          value={i18n.language}
          onChange={(language) => void setLanguage(language === 'en' ? 'en' : 'zh-CN')}
        />
        <Button variant="default" onClick={() => setColorScheme('light')}>
          {t('commands:light')}
        </Button>
        <Button variant="default" onClick={() => setColorScheme('dark')}>
          {t('commands:dark')}
        </Button>
        <Button onClick={() => setRound(round + 1)} data-testid="kit-change">
          {t('grid:change')}
        </Button>
      </Group>
      <Part name="DataGrid">
        <ManyRows round={round} />
      </Part>
      <div className={classes.two}>
        <Part name="DataGrid: placeholders">
          <Holes />
        </Part>
        <Part name="DataGrid: empty">
          <Empty />
        </Part>
      </div>
      <div className={classes.two}>
        <Part name="SmallTable">
          <Small />
        </Part>
        <div>
          <Part name="StatusBadge">
            <Group gap="md">
              {TONES.map((tone) => (
                <StatusBadge key={tone} tone={tone} outlined={tone === 'bad'}>
                  {tone}
                </StatusBadge>
              ))}
            </Group>
          </Part>
          <Part name="GuardedButton, GuardedIcon">
            <Group gap="sm">
              <GuardedButton reason={null} hint="" onClick={() => undefined}>
                {t('points:action.add')}
              </GuardedButton>
              <GuardedButton reason={t('points:why.selectOne')} hint="" onClick={() => undefined}>
                {t('points:action.read')}
              </GuardedButton>
              <GuardedIcon
                icon="trash"
                label={t('points:action.delete')}
                hint=""
                reason={t('points:why.selectSome')}
                onClick={() => undefined}
              />
            </Group>
          </Part>
        </div>
      </div>
      <Part name="split pane">
        <Split />
      </Part>
      <Part name="ErrorNotice">
        <ErrorNotice error={new AppError('TRANSPORT_REFUSED', quoted('ECONNREFUSED 127.0.0.1:502'))} />
      </Part>
      <Part name="DropZone">
        <DropZone label={t('files:drop')} onFile={() => undefined}>
          <Icon name="upload" size={28} />
          <Text fw={600}>{t('files:drop')}</Text>
          <ChooseFile label={t('files:choose')} onFile={() => undefined} accept=".csv" />
        </DropZone>
        <FileReading text={t('files:reading', { name: 'list.csv' })} />
      </Part>
      <Part name="EmptyState">
        <EmptyState icon="search" title={t('points:emptyFiltered')} />
      </Part>
      <div className={classes.two}>
        <Tokens />
      </div>
    </main>
  );
}
