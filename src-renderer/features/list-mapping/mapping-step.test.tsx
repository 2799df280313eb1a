import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import type { ListAnalysis, ListQuestion } from '#shared/contract/list-operations.ts';
import type { ImportReport } from '#shared/contract/point-files.ts';
import { NewPoint } from '#shared/contract/points.ts';
import { Providers } from '../../app/providers.tsx';
import ImportDialog from '../point-files/import-dialog.tsx';
import { aChannel, fakeService, giveSize } from '../testing/fake-service.ts';

const FILE = { name: 'meter.csv', format: 'csv' as const, encoding: 'utf-8', delimiter: ',' };
const TALLY = { added: 1, changed: 0, unchanged: 0, removed: 0 };
const point = (address: number) => NewPoint.parse({ frame_type: 0, code: 'U', name: 'Voltage', address });

function aReport(changes: Partial<ImportReport>): ImportReport {
  const counts = { rows: 1, yc: 1, yx: 0, yk: 0, yt: 0, errors: 0, warnings: 0, merge: TALLY, replace: TALLY };
  return { mode: 'preview', applied: false, foreign: true, file: FILE, counts, errors: [], warnings: [], changes: [], ...changes };
}
const ERROR = { rule: 'no_table' as never, params: {}, sheet: '', row: null, column: '', cell: '', message: '', only: null };

const QUESTION: ListQuestion = {
  id: 'base',
  kind: 'base',
  params: {},
  choices: ['plain0', 'plain1'],
  proposed: 'plain0',
  answer: null,
  rows: 1,
  samples: [{ sheet: '', row: 2, text: '10 · Voltage' }],
  candidates: [
    { choice: 'plain0', points: [point(10)] },
    { choice: 'plain1', points: [point(9)] },
  ],
};

function anAnalysis({ answers, headers }: ListMapping): ListAnalysis {
  const answer = answers?.base ?? null;
  const role = headers?.find(({ header }) => header === 'Register')?.role ?? 'address';
  return {
    file: FILE,
    sheets: [
      {
        name: '',
        rows: 2,
        hidden: false,
        lines: [
          ['Register', 'Name'],
          ['10', 'Voltage'],
        ],
      },
    ],
    tables: [
      {
        sheet: '',
        header_row: 1,
        header_rows: 1,
        first_row: 2,
        last_row: 2,
        left: 0,
        taken: true,
        rows: 1,
        points: 1,
        columns: [
          { index: 0, letter: 'A', header: 'Register', role, source: 'header', samples: ['10'], filled: 1, readable: 1 },
          { index: 1, letter: 'B', header: 'Name', role: 'name', source: 'header', samples: ['Voltage'], filled: 1, readable: 1 },
        ],
      },
    ],
    profile: null,
    fitting: [],
    questions: [{ ...QUESTION, answer }],
    counts: { rows: 1, understood: 1, left_out: 0, open: answer === null ? 1 : 0, points: 1, yc: 1, yx: 0, yk: 0, yt: 0, writable: 0 },
    errors: answer === null ? [ERROR] : [],
    left_out: [],
    told: [],
    points: [{ sheet: '', row: 2, point: point(10) }],
    headers: ['Register', 'Name'],
  };
}

function show() {
  const service = fakeService({
    importPoints: ({ mode, mapping }) =>
      mapping === undefined ? aReport({ errors: [ERROR] }) : aReport(mode === 'preview' ? {} : { mode: 'merge', applied: true }),
    analyseList: ({ mapping }) => anAnalysis(JSON.parse(String(mapping))),
    listProfiles: () => ({ items: [], unreadable: [] }),
    saveProfile: ({ name }) => ({ id: 'own-a', name: String(name), about: '', built_in: false, headers: [], formats: [], mapping: {} }),
    compareReadings: () => ({
      rows: [
        {
          code: 'U',
          name: 'Voltage',
          readings: [
            { choice: 'plain0', address: 10, value: 0, value_text: '0', unit: 'V', raw_hex: '0000', plausible: false, error: null },
            { choice: 'plain1', address: 9, value: 231.5, value_text: '231.5', unit: 'V', raw_hex: '0907', plausible: true, error: null },
          ],
        },
      ],
      plausible: 'plain1',
      requests: 2,
    }),
  });
  render(
    <Providers env="test">
      <ImportDialog channel={aChannel()} pasted={null} />
    </Providers>,
  );
  return service;
}

const input = () => document.querySelector('input[type="file"]') as HTMLInputElement;
const mappings = (service: ReturnType<typeof show>) => service.of('analyseList').map(({ mapping }) => JSON.parse(String(mapping)));

beforeEach(() => {
  giveSize();
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(28);
});

describe('mapping of a foreign list', () => {
  it('opens by itself, goes on only when everything is answered, and is what is imported', async () => {
    const user = userEvent.setup();
    const service = show();
    await user.upload(input(), new File(['x'], 'meter.csv'));
    const question = await screen.findByTestId('mapping-question');
    expect(screen.getByTestId('mapping-next').getAttribute('aria-disabled')).toBe('true');
    await user.click(screen.getByTestId('mapping-next'));
    expect(service.of('importPoints')).toHaveLength(1);
    await user.click(within(question).getByRole('radio', { name: 'Counted from 1: 1 is address 0' }));
    await waitFor(() => expect(screen.getByTestId('mapping-next').getAttribute('aria-disabled')).toBeNull());
    await user.click(screen.getByTestId('mapping-tab-columns'));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Means: Register' }), 'length');
    await waitFor(() => expect(mappings(service).at(-1)).toMatchObject({ headers: [{ header: 'Register', role: 'length' }] }));
    await waitFor(() => expect(screen.getByTestId('mapping-step').getAttribute('aria-busy')).toBe('false'));
    await user.click(screen.getByTestId('mapping-next'));
    await screen.findByTestId('import-tally');
    await user.click(screen.getByTestId('import-apply'));
    await screen.findByTestId('import-done');
    const last = service.of('importPoints').at(-1);
    expect([last?.mode, JSON.parse(String(last?.mapping))]).toEqual([
      'merge',
      { answers: { base: 'plain1' }, headers: [{ header: 'Register', role: 'length' }] },
    ]);
  });

  it('reads nothing of the device until somebody asks, marks the plausible way, and takes it with a press', async () => {
    const user = userEvent.setup();
    const service = show();
    await user.upload(input(), new File(['x'], 'meter.csv'));
    await screen.findByTestId('mapping-question');
    expect(service.of('compareReadings')).toEqual([]);
    await user.click(screen.getByTestId('mapping-compare'));
    const readings = await screen.findByTestId('mapping-readings');
    expect(readings.textContent).toContain('231.5 V');
    expect(within(readings).getByText('plausible')).toBeTruthy();
    await user.click(within(readings).getByRole('button', { name: 'Counted from 1: 1 is address 0' }));
    await waitFor(() => expect(mappings(service).at(-1)).toEqual({ answers: { base: 'plain1' } }));
  });

  it('takes the row of the headers from the sheet, goes back from the preview, and is kept under a name', async () => {
    const user = userEvent.setup();
    const service = show();
    await user.upload(input(), new File(['x'], 'meter.csv'));
    await user.click(within(await screen.findByTestId('mapping-question')).getAllByRole('radio')[0] as HTMLElement);
    await user.click(screen.getByTestId('mapping-tab-sheet'));
    await user.click(screen.getByRole('button', { name: 'Headers in row 2' }));
    await waitFor(() => expect(mappings(service).at(-1)).toMatchObject({ tables: [{ sheet: '', header_row: 2 }] }));
    await waitFor(() => expect(screen.getByTestId('mapping-step').getAttribute('aria-busy')).toBe('false'));
    await user.click(screen.getByTestId('mapping-next'));
    await user.click(await screen.findByTestId('import-map'));
    await screen.findByTestId('mapping-step');
    await user.click(screen.getByTestId('profile-save'));
    await user.type(screen.getByTestId('profile-name'), 'Meters');
    await user.click(screen.getByTestId('confirm'));
    await waitFor(() => expect(service.of('saveProfile')).toHaveLength(1));
    expect(service.of('saveProfile')[0]).toMatchObject({
      name: 'Meters',
      headers: ['Register', 'Name'],
      formats: ['csv'],
      mapping: { answers: { base: 'plain0' } },
    });
  });
});
