import { render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#shared/contract/events.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { fakeService, giveSize } from '../testing/fake-service.ts';
import AuditPanel from './audit-panel.tsx';

function anEntry(id: number, change: Partial<AuditEntry>): AuditEntry {
  return {
    id,
    at: '2026-03-01T08:00:00.000Z',
    closed_at: '2026-03-01T08:00:00.100Z',
    channel_id: 1,
    channel_name: 'Centre',
    point_id: id,
    frame_type: 2,
    code: `P${id}`,
    operation: null,
    step: 'operate',
    value: 1,
    source: 'window',
    outcome: 'accepted',
    detail: '',
    ...change,
  };
}

afterEach(() => setLanguage('en'));

describe('audit', () => {
  it.each([
    ['en', ['On (1)', 'Off (0)', '2', '1', 'Bad (3)', '']],
    ['zh-CN', ['合 (1)', '分 (0)', '2', '1', '坏状态 (3)', '']],
  ] as const)('tells states in words and everything else as it was written (%s)', async (language, texts) => {
    await setLanguage(language);
    giveSize();
    const changes = [{}, { value: 0 }, { value: 2 }, { frame_type: 3 }, { frame_type: 1, value: 3 }, { value: null }] as const;
    const items = changes.map((change, at) => anEntry(at + 1, change));
    fakeService({ listAudit: () => ({ total: items.length, items }) });
    render(
      <Providers env="test">
        <AuditPanel channelId={1} />
      </Providers>,
    );
    const place = screen
      .queryAllByRole('columnheader')
      .findIndex(({ textContent }) => textContent === (language === 'en' ? 'Value' : '值'));
    await screen.findByText('YK P1');
    const cells = screen.getAllByRole('row').map((row) => row.children[place]);
    expect(cells.slice(1).flatMap((cell) => cell?.textContent ?? [])).toEqual(texts);
  });
});
