import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type ImportReport, TABLE_RULES, type TableChange, type TableIssue } from '#shared/contract/point-files.ts';
import { AppError } from '#shared/domain/errors.ts';
import { TABLE_RULE_TEXTS } from '#shared/domain/table-rule-texts.ts';
import { quoted, say } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { i18n } from '../../i18n/index.ts';
import { aChannel, fakeService, giveSize } from '../testing/fake-service.ts';
import ImportDialog from './import-dialog.tsx';
import { issueText } from './issue-text.ts';
import { usePointFilesStore } from './point-files-store.ts';

const issue = (change: Partial<TableIssue> = {}): TableIssue => ({
  rule: 'not_number',
  params: { value: 'zehn' },
  sheet: '遥测',
  row: 3,
  column: '寄存器地址',
  cell: 'D3',
  message: '"zehn" is no number; numbers are written 16 or 0x0010.',
  only: null,
  ...change,
});
const change = (changes: Partial<TableChange> = {}): TableChange => ({
  kind: 'added',
  point_id: null,
  frame_type: 0,
  code: 'U1',
  name: 'Voltage',
  address: 16,
  reference: '',
  decode: '0x45 float32 CDAB',
  sheet: '遥测',
  row: 2,
  fields: [],
  only: null,
  ...changes,
});
function aReport(changes: Partial<ImportReport> = {}, counts: Partial<ImportReport['counts']> = {}): ImportReport {
  return {
    mode: 'preview',
    applied: false,
    foreign: false,
    file: { name: 'pcs.xlsx', format: 'xlsx', encoding: '', delimiter: '' },
    counts: {
      rows: 2,
      yc: 2,
      yx: 0,
      yk: 0,
      yt: 0,
      errors: 0,
      warnings: 0,
      merge: { added: 1, changed: 1, unchanged: 0, removed: 0 },
      replace: { added: 1, changed: 1, unchanged: 0, removed: 3 },
      ...counts,
    },
    errors: [],
    warnings: [],
    changes: [change()],
    ...changes,
  };
}

function show(answer: (mode: unknown) => ImportReport) {
  const service = fakeService({ importPoints: ({ mode }) => answer(mode) });
  render(
    <Providers env="test">
      <ImportDialog channel={aChannel()} pasted={null} />
    </Providers>,
  );
  return service;
}

const file = new File(['x'], 'pcs.xlsx');
/** The hidden field behind the button that chooses a file. */
const input = () => document.querySelector('input[type="file"]') as HTMLInputElement;
const modes = (service: ReturnType<typeof show>) => service.of('importPoints').map(({ mode }) => mode);

beforeEach(() => {
  giveSize();
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(28);
  usePointFilesStore.setState({ importInto: 1 });
});

describe('import dialog', () => {
  it('shows every error with its place and imports nothing while there is one', async () => {
    const user = userEvent.setup();
    const errors = [
      issue(),
      issue({ rule: 'required', row: 5, cell: 'A5', column: '测点编码', message: '测点编码 is empty; it is needed.' }),
    ];
    const service = show(() => aReport({ errors }, { errors: 2 }));
    await user.upload(input(), file);
    expect((await screen.findByTestId('import-tab-errors')).textContent).toContain('2');
    const rows = screen.getAllByTestId('import-row').map((row) => row.textContent);
    expect(rows[0]).toBe('遥测3D3寄存器地址"zehn" is no number; numbers are written 16 or 0x0010.');
    await user.type(screen.getByRole('searchbox'), 'empty');
    expect(screen.getAllByTestId('import-row')).toHaveLength(1);
    await user.click(screen.getByTestId('import-apply'));
    expect(modes(service)).toEqual(['preview']);
  });

  it('merges what was looked at, and says what was done', async () => {
    const user = userEvent.setup();
    const service = show((mode) => (mode === 'preview' ? aReport() : aReport({ mode: 'merge', applied: true })));
    await user.upload(input(), file);
    expect((await screen.findByTestId('import-tally')).textContent).toContain('1 added');
    expect(screen.getByTestId('import-row').textContent).toContain('0x45 float32 CDAB');
    await user.click(screen.getByTestId('import-apply'));
    expect((await screen.findByTestId('import-done')).textContent).toContain('1 added · 1 changed · 0 unchanged · 0 deleted');
    expect(modes(service)).toEqual(['preview', 'merge']);
    await user.click(screen.getByTestId('import-close'));
    expect(usePointFilesStore.getState().importInto).toBeNull();
  });

  it('asks what bits of coils mean, and looks and imports as it was told', async () => {
    const user = userEvent.setup();
    const answered: unknown[] = [];
    const service = fakeService({
      importPoints: ({ mode, impossible_bits: bits }) => {
        answered.push([mode, bits]);
        if (mode !== 'preview') return aReport({ mode: 'merge', applied: true });
        return bits === 'refuse' ? aReport({ errors: [issue({ rule: 'bit_invalid' })] }, { errors: 1 }) : aReport();
      },
    });
    render(
      <Providers env="test">
        <ImportDialog channel={aChannel()} pasted={null} />
      </Providers>,
    );
    await user.upload(input(), file);
    await user.click(await screen.findByRole('radio', { name: 'Count on from the address' }));
    await screen.findByTestId('import-tally');
    expect((screen.getByRole('radio', { name: 'Count on from the address' }) as HTMLInputElement).checked).toBe(true);
    await user.click(screen.getByTestId('import-apply'));
    await screen.findByTestId('import-done');
    expect(answered).toEqual([
      ['preview', 'refuse'],
      ['preview', 'address'],
      ['merge', 'address'],
    ]);
    expect(service.of('importPoints')).toHaveLength(3);
  });

  it('asks before a replace, naming how many points go and which', async () => {
    const user = userEvent.setup();
    const gone = ['A', 'B', 'C'].map((code) => change({ kind: 'removed', code, point_id: 1, row: null, only: 'replace' }));
    const service = show((mode) =>
      mode === 'preview' ? aReport({ changes: [...gone, change()] }) : aReport({ mode: 'replace', applied: true }),
    );
    await user.upload(input(), file);
    await screen.findByTestId('import-tally');
    expect(screen.getAllByTestId('import-row')).toHaveLength(1);
    await user.click(screen.getByRole('radio', { name: 'Replace' }));
    expect(screen.getAllByTestId('import-row')).toHaveLength(4);
    await user.click(screen.getByTestId('import-apply'));
    expect(await screen.findByText(/3 points that are not in the file are deleted/)).toBeTruthy();
    expect(screen.getByText('A, B, C')).toBeTruthy();
    expect(modes(service)).toEqual(['preview']);
    await user.click(screen.getByTestId('confirm'));
    await screen.findByTestId('import-done');
    expect(modes(service)).toEqual(['preview', 'replace']);
  });

  it('lists what holds for the chosen mode only; an error of one mode leaves the other open', async () => {
    const user = userEvent.setup();
    show(() =>
      aReport({ errors: [issue({ only: 'replace' })], warnings: [issue({ only: 'merge' }), issue()] }, { errors: 1, warnings: 2 }),
    );
    await user.upload(input(), file);
    expect((await screen.findByTestId('import-tab-errors')).textContent).toContain('0');
    expect(screen.getByTestId('import-tab-warnings').textContent).toContain('2');
    expect(screen.getByTestId('import-apply').getAttribute('aria-disabled')).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Replace' }));
    expect(screen.getByTestId('import-tab-errors').textContent).toContain('1');
    expect(screen.getByTestId('import-tab-warnings').textContent).toContain('1');
    expect(screen.getByTestId('import-apply').getAttribute('aria-disabled')).toBe('true');
  });

  it('takes a dropped file, and another one after it', async () => {
    const user = userEvent.setup();
    const service = show(() => aReport());
    fireEvent.drop(await screen.findByTestId('import-drop'), { dataTransfer: { files: [file] } });
    await screen.findByTestId('import-file');
    await user.upload(input(), new File(['y'], 'other.csv'));
    await waitFor(() => expect(modes(service)).toEqual(['preview', 'preview']));
  });

  it('a refusal of the service is shown, and another file can be chosen', async () => {
    const user = userEvent.setup();
    show((mode) => {
      if (mode === 'preview') return aReport();
      throw new AppError('STATE_CONFLICT', quoted('The point table of "PCS 1" was changed while the file was read.'));
    });
    await user.upload(input(), file);
    await user.click(await screen.findByTestId('import-apply'));
    expect((await screen.findByTestId('error-notice')).textContent).toContain('was changed while the file was read');
    expect(screen.getByTestId('import-another')).toBeTruthy();
  });

  it('a file beyond the limit is not sent', async () => {
    const service = show(() => aReport());
    const huge = new File(['x'], 'huge.csv');
    Object.defineProperty(huge, 'size', { value: 40 * 1024 * 1024 });
    fireEvent.drop(await screen.findByTestId('import-drop'), { dataTransfer: { files: [huge] } });
    expect((await screen.findByRole('alert')).textContent).toContain('at most 32 MiB');
    expect(service.calls).toEqual([]);
  });

  it('says how many there are beyond those that are listed', async () => {
    const user = userEvent.setup();
    show(() => aReport({ errors: [issue()] }, { errors: 3_000 }));
    await user.upload(input(), file);
    expect(await screen.findByText('The first 1 of 3000 are listed.')).toBeTruthy();
  });
});

describe('texts of the rules', () => {
  const params = {
    value: 'V',
    values: 'V',
    usual: 'U',
    least: 0,
    most: 1,
    ms: 1,
    detail: 'D',
    bit: 2,
    address: 258,
    megabytes: 1,
    seconds: 1,
    line: 1,
    found: 'F',
    name: 'N',
    max: 1,
    min: 0,
    header: 'H',
    first: 'F',
    row: 1,
    headers: 'H',
    column: 'C',
    range: 'R',
    count: 1,
    digits: 12,
    length: 1,
    example: 'E',
    type: 'T',
    sheet: 'S',
    near: 'N',
    message: 'M',
    field: 'F',
    code: 'C',
    place: 'P',
    before: 'B',
    after: 'A',
    order: 'O',
    old: 'L',
    same: say('table.same_as', { code: 'I' }),
    question: say('list.q_base'),
    rows: 1,
    id: 'I',
    names: 'N',
    lines: '3',
    reading: say('list.base_plain0'),
    why: say('list.why_zero'),
    function: 3,
    factor: 1,
    unit: 'V',
    points: 1,
    text: 'T',
  };

  const names = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '');

  it.each(TABLE_RULES)('%s is said in both languages', (rule) => {
    const told = issue({ rule, params });
    expect(names(TABLE_RULE_TEXTS[rule]).filter((name) => !(name in params))).toEqual([]);
    expect(issueText(told, i18n.getFixedT('en', 'files'))).toMatch(/^[^{]+\.$/);
    const chinese = issueText(told, i18n.getFixedT('zh-CN', 'files'));
    expect(chinese).toMatch(/[\u4e00-\u9fff]/);
    expect(chinese).not.toMatch(/\{\{|undefined/);
  });
});
