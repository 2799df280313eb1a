import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Channel } from '#shared/contract/channels.ts';
import type { PointSuggestion } from '#shared/contract/iec61850.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { aChannel, aPoint, aTask, fakeService, giveSize } from '../testing/fake-service.ts';
import ModelPanel from './model-panel.tsx';
import { aModel, childrenOf, IEC61850 } from './testing/model-data.ts';

/** A channel of its own for each test: what was opened is remembered by channel. */
let id = 100;

const freshness = { last_updated_at: '2026-03-01T08:00:00.000Z', stale: false, last_error: null };
const values = { 'LD0/GGIO1$ST$Ind1$stVal': true };
const ANSWERS: Parameters<typeof fakeService>[0] = {
  listProtocols: () => [IEC61850],
  deviceModel: () => aModel(),
  modelNodes: ({ parent = '' }) => {
    const items = childrenOf(String(parent));
    return { revision: 1, total: items.length, more: false, items };
  },
  iec61850TreeData: () => ({ tree: [], ...freshness, values }),
  listChannels: () => [],
  projectInfo: () => ({ path: '/a', name: 'a', schema_version: 1, size_bytes: 1, channels: 1, points: 0 }),
};

function show(answers: Parameters<typeof fakeService>[0] = {}, change: Partial<Channel> = {}) {
  giveSize();
  const service = fakeService({ ...ANSWERS, ...answers });
  render(
    <Providers env="test">
      <ModelPanel channel={aChannel({ id, name: 'BCU 1', protocol_type: 5, ...change })} />
    </Providers>,
  );
  return { service, user: userEvent.setup() };
}

const rows = () => screen.getAllByTestId('model-row');
const nameOf = (row: HTMLElement) => row.querySelector('td')?.textContent;

beforeEach(async () => {
  await setLanguage('en');
  id += 1;
});

describe('the model tree', () => {
  it('asks for children when a node is opened, and draws only the rows in sight of 50,000', async () => {
    const { service } = show();
    const tree = await screen.findByTestId('model-tree');
    await waitFor(() => expect(rows()).toHaveLength(1));
    for (const key of ['ArrowDown', 'ArrowRight']) fireEvent.keyDown(tree, { key });
    await waitFor(() => expect(tree.getAttribute('aria-rowcount')).toBe('1002'));
    expect(rows().length).toBeLessThan(60);
    expect(service.of('modelNodes').map(({ parent }) => parent)).toEqual([undefined, 'LD0']);
    for (const key of ['ArrowRight', 'Enter', 'End', 'Home']) fireEvent.keyDown(tree, { key });
    await waitFor(() => expect(tree.getAttribute('aria-rowcount')).toBe('1052'));
    expect(rows().length).toBeLessThan(60);
    expect(nameOf(rows()[1] ?? tree)).toBe('GGIO1');
    const first = rows()[2] ?? tree;
    expect([nameOf(first), within(first).getByTestId('model-value').textContent]).toEqual(['Ind1', 'true']);
    expect(first.getAttribute('aria-level')).toBe('3');
  });

  it('is closed by keys, goes up to the parent, and ticks with the space bar', async () => {
    show();
    const tree = await screen.findByTestId('model-tree');
    await waitFor(() => expect(rows()).toHaveLength(1));
    const press = (...keys: string[]) => {
      for (const key of keys) fireEvent.keyDown(tree, { key });
    };
    press('ArrowDown', 'ArrowRight');
    await waitFor(() => expect(tree.getAttribute('aria-rowcount')).toBe('1002'));
    press('ArrowDown', 'ArrowRight');
    await waitFor(() => expect(tree.getAttribute('aria-rowcount')).toBe('1052'));
    press('ArrowDown', ' ', 'ArrowDown', ' ');
    expect(screen.getByTestId('model-add').textContent).toContain('Add 2 points');
    press(' ');
    expect(screen.getByTestId('model-add').textContent).toContain('Add 1 point');
    press('ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft');
    expect(tree.getAttribute('aria-rowcount')).toBe('2');
  });

  it('ticks a range with the shift key', async () => {
    const { user } = show();
    await user.click(await screen.findByRole('button', { name: 'Open LD0' }));
    await user.click(await screen.findByRole('button', { name: 'Open GGIO1' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Choose Ind2 as a point' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Choose Ind5 as a point' }), { shiftKey: true });
    expect(screen.getByTestId('model-add').textContent).toContain('Add 4 points');
    await user.click(screen.getByTestId('model-clear'));
    expect(screen.getByTestId('model-add').hasAttribute('disabled')).toBe(true);
  });

  it('shows what a search finds, and the found node in the tree', async () => {
    const found = { name: 'Ind7', kind: 'data-object' as const, reference: 'LD0/GGIO3.Ind7', cdc: 'SPS', frame_type: 1 as const };
    const { service, user } = show({
      modelNodes: ({ parent = '', search }) => {
        if (search !== undefined && search !== '') return { revision: 1, total: 1, more: true, items: [found] };
        const items = childrenOf(String(parent));
        return { revision: 1, total: items.length, more: false, items };
      },
    });
    await user.type(await screen.findByTestId('model-search'), 'ind7');
    expect(await screen.findByText('LD0/GGIO3.Ind7')).toBeTruthy();
    expect(service.of('modelNodes').at(-1)).toMatchObject({ search: 'ind7' });
    expect(screen.getByText(/The first 500 are shown/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Show Ind7 in the tree' }));
    await waitFor(() => expect(screen.getByTestId('model-tree').getAttribute('aria-rowcount')).toBe('1052'));
    const active = document.getElementById(screen.getByTestId('model-tree').getAttribute('aria-activedescendant') ?? '');
    expect(active?.closest('tr')?.getAttribute('aria-rowindex')).toBe('12');
  });

  it('says how the model is learnt, and what to do while it is not known', async () => {
    const unknown = aModel({ state: 'unknown', source: null, identity: null, revision: 0, learned_at: null });
    show({ deviceModel: () => unknown, modelNodes: () => ({ revision: 0, total: 0, more: false, items: [] }) }, { status: 'stopped' });
    expect(await screen.findByText(/Start the channel to read it from the device/)).toBeTruthy();
    expect(screen.getByTestId('model-status').getAttribute('data-state')).toBe('unknown');
  });

  it('shows progress, identity and revision', async () => {
    show({ deviceModel: () => aModel({ state: 'learning', source: null, done: 7, total: 42 }) });
    const status = await screen.findByTestId('model-status');
    expect(status.textContent).toContain('7 of 42');
    expect(status.textContent).toContain('Example BCU 1.2');
    expect(status.textContent).toContain('configRev 3');
    expect(status.textContent).toContain('50,000 attributes');
  });
});

describe('points of ticked nodes', () => {
  const item = (name: string, present_code: string | null = null): PointSuggestion => ({
    reference: `LD0/GGIO1.${name}`,
    point: { frame_type: 1, code: `GGIO1_${name}`, name, reference: `LD0/GGIO1.${name}.stVal[ST]`, unit: '', protocol: {} },
    reason: '',
    present_code,
  });

  it('are suggested, changed and added', async () => {
    let refuses = true;
    const { service, user } = show({
      suggestPoints: ({ references }) => ({ items: (references as string[]).map((reference) => item(reference.split('.')[1] ?? '')) }),
      addPoints: () => {
        if (refuses) throw new AppError('CONFIG_INVALID', quoted('no'), { data: [{ path: 'points.1.code', message: 'is taken' }] });
        return { step_id: 1, items: [aPoint(), aPoint()] };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Open LD0' }));
    await user.click(await screen.findByRole('button', { name: 'Open GGIO1' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Choose Ind1 as a point' }));
    await user.click(screen.getByRole('checkbox', { name: 'Choose Ind2 as a point' }));
    await user.click(screen.getByTestId('model-add'));
    await waitFor(() => expect(screen.getAllByTestId('draft-row')).toHaveLength(2));
    const code = screen.getAllByRole('textbox', { name: 'Code' })[0] ?? document.body;
    await user.clear(code);
    expect(screen.getByTestId('points-add').hasAttribute('disabled')).toBe(true);
    expect(screen.getByText('needs a code')).toBeTruthy();
    await user.type(code, 'BREAKER');
    await user.selectOptions(screen.getAllByRole('combobox', { name: 'Type' })[1] ?? document.body, 'YC');
    await user.click(screen.getByTestId('points-add'));
    expect((await screen.findByText(/is taken/)).closest('tr')?.getAttribute('aria-rowindex')).toBe('3');
    refuses = false;
    await user.click(screen.getByTestId('points-add'));
    await waitFor(() => expect(screen.queryByTestId('points-dialog')).toBeNull());
    expect(service.of('addPoints').at(-1)).toMatchObject({
      points: [
        { frame_type: 1, code: 'BREAKER', reference: 'LD0/GGIO1.Ind1.stVal[ST]' },
        { frame_type: 0, code: 'GGIO1_Ind2' },
      ],
    });
    expect(screen.getByTestId('model-add').hasAttribute('disabled')).toBe(true);
  });
});

describe('data sets', () => {
  const detail = {
    dataset: 'LD0/LLN0$dsMeas',
    members: [{ reference: 'LD0/GGIO1$ST$Ind1', fc: 'ST', description: 'SF6', cdc: 'SPS', type: '' }],
    values: { 'LD0/GGIO1$ST$Ind1$stVal': false, 'LD0/GGIO1$ST$Ind1$q': 'questionable' },
  };
  const tasks = { autoReadStatus: () => aTask(), manualReadStatus: () => aTask() };

  it('show members with values, and how fresh they are', async () => {
    const failed = { last_updated_at: '2026-03-01T08:00:00.000Z', stale: true, last_error: 'The device did not answer.' };
    const { user } = show({ ...tasks, iec61850DatasetDetail: () => ({ ...detail, ...failed }) });
    await user.click(await screen.findByText('Data sets'));
    const row = await screen.findByTestId('member-row');
    expect(row.textContent).toContain('SF6');
    expect(within(row).getByTestId('member-value').textContent).toBe('false');
    expect(row.textContent).toContain('questionable');
    expect(screen.getByTestId('data-set-error').textContent).toContain('The device did not answer.');
    expect(screen.getByTestId('data-set-detail').textContent).toContain('Stale');
    await user.click(within(row).getByRole('button'));
    expect(screen.getByTestId('members').textContent).toContain('stVal');
  });

  it('are read once by a manual task, and again and again by the automatic one', async () => {
    const { service, user } = show({
      ...tasks,
      iec61850DatasetDetail: () => ({ ...detail, ...freshness }),
      manualRead: () => aTask(),
      startAutoRead: () => aTask(),
    });
    await user.click(await screen.findByText('Data sets'));
    await user.click(await screen.findByTestId('data-set-read'));
    await waitFor(() =>
      expect(service.of('manualRead')).toMatchObject([{ device_name: 'BCU 1', mode: 'dataset', item: 'LD0/LLN0$dsMeas' }]),
    );
    await user.click(screen.getByTestId('data-set-start'));
    await waitFor(() => expect(service.of('startAutoRead')).toMatchObject([{ mode: 'dataset', item: 'LD0/LLN0$dsMeas' }]));
  });
});

describe('differences of file and device', () => {
  it('are listed, and what is missing is said', async () => {
    let comparable = false;
    const items = [{ kind: 'type' as const, reference: 'LD0/A.b', file: 'INT32', device: 'FLOAT32' }];
    const { user } = show({ modelDifferences: () => ({ comparable, items: comparable ? items : [], more: comparable ? 4 : 0 }) });
    await user.click(await screen.findByText('Differences'));
    expect(await screen.findByText(/Give the SCL file of the device first/)).toBeTruthy();
    comparable = true;
    await user.click(screen.getByText('Tree'));
    await user.click(screen.getByText('Differences'));
    const view = await screen.findByTestId('differences');
    expect(view.textContent).toContain('5 differences');
    expect(view.textContent).toContain('INT32');
  });
});

describe('the file of a device', () => {
  const report = {
    name: 'station.scd',
    octets: 20,
    title: 'SCL 2007B4',
    choices: [
      { value: 'A', label: 'A bay', addresses: [] },
      {
        value: 'B',
        label: 'B bay',
        addresses: [{ value: 'W1/P1', ip: '10.1.2.3', port: null, protocol: { remote_transport_selector: '0002' } }],
      },
    ],
    warnings: [{ path: 'IED', message: 'odd' }],
    choice: '',
    stored: false,
  };
  const file = () => new File(['<SCL/>'], 'station.scd');

  it('is looked at, its device chosen, and kept', async () => {
    const asked: unknown[] = [];
    const { user } = show({
      storeDocument: ({ mode, choice }) => {
        asked.push([mode, choice]);
        return report;
      },
    });
    await user.click(await screen.findByTestId('model-document'));
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]') ?? document.createElement('input'), file());
    await screen.findByTestId('document-preview');
    expect(screen.getByText('IED: odd')).toBeTruthy();
    expect(screen.getByTestId('document-store').hasAttribute('disabled')).toBe(true);
    await user.click(screen.getByTestId('document-choice'));
    await user.click(await screen.findByRole('option', { name: 'B bay', hidden: true }));
    await user.click(screen.getByTestId('document-store'));
    await waitFor(() => expect(screen.queryByTestId('document-dialog')).toBeNull());
    expect(asked).toEqual([
      ['preview', undefined],
      ['store', 'B'],
    ]);
  });

  it('gives the channel its address and selectors where they are chosen, and says what changes', async () => {
    const asked: unknown[] = [];
    const { user } = show(
      {
        storeDocument: ({ mode, choice, address }) => {
          asked.push([mode, choice, address]);
          return report;
        },
      },
      { conn_type: 2, ip: '127.0.0.1', port: 102, protocol: { remote_transport_selector: '0001' } },
    );
    await user.click(await screen.findByTestId('model-document'));
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]') ?? document.createElement('input'), file());
    await screen.findByTestId('document-preview');
    expect(screen.queryByTestId('document-address')).toBeNull();
    await user.click(screen.getByTestId('document-choice'));
    await user.click(await screen.findByRole('option', { name: 'B bay', hidden: true }));
    expect(screen.getByTestId('document-address')).toHaveProperty('value', 'Keep that of the channel: 127.0.0.1:102');
    expect(screen.queryByTestId('document-changes')).toBeNull();
    await user.click(screen.getByTestId('document-address'));
    await user.click(await screen.findByRole('option', { name: '10.1.2.3 (W1/P1)', hidden: true }));
    expect(screen.getByTestId('document-changes').textContent).toBe('Host address127.0.0.1 → 10.1.2.3TSEL of the device, hex0001 → 0002');
    await user.click(screen.getByTestId('document-store'));
    await waitFor(() => expect(screen.queryByTestId('document-dialog')).toBeNull());
    expect(asked).toEqual([
      ['preview', undefined, undefined],
      ['store', 'B', 'W1/P1'],
    ]);
  });

  it('offers no address to a channel that serves the device', async () => {
    const { user } = show({ storeDocument: () => ({ ...report, choice: 'B' }) }, { conn_type: 1 });
    await user.click(await screen.findByTestId('model-document'));
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]') ?? document.createElement('input'), file());
    await screen.findByTestId('document-preview');
    expect(screen.queryByTestId('document-address')).toBeNull();
  });

  it('that is too large is not sent; one that is refused says why', async () => {
    const { service, user } = show({
      storeDocument: () => {
        throw new AppError('CONFIG_INVALID', quoted('line 1: no SCL'));
      },
    });
    await user.click(await screen.findByTestId('model-document'));
    const input = () => document.querySelector<HTMLInputElement>('input[type=file]') ?? document.createElement('input');
    await user.upload(input(), new File(['x'.repeat(1001)], 'big.scd'));
    expect(await screen.findByText(/at most 1000 B are taken/)).toBeTruthy();
    expect(service.of('storeDocument')).toEqual([]);
    await user.upload(input(), file());
    expect(await screen.findByText('line 1: no SCL')).toBeTruthy();
  });

  it('that is kept can be used for another device, or removed', async () => {
    const kept = { ...report, choice: 'A', stored_at: '2026-03-01T08:00:00.000Z' };
    const { service, user } = show({
      deviceModel: () => aModel({ document: kept }),
      updateChannel: () => aChannel(),
      deleteDocument: () => ({ deleted: true }),
    });
    await user.click(await screen.findByTestId('model-document'));
    expect((await screen.findByTestId('document-facts')).textContent).toContain('station.scd');
    await user.click(screen.getByTestId('document-choice'));
    await user.click(await screen.findByRole('option', { name: 'B bay', hidden: true }));
    await user.click(screen.getByTestId('document-use'));
    await waitFor(() => expect(service.of('updateChannel')).toMatchObject([{ channel_id: id, protocol: { ied_name: 'B' } }]));
    await user.click(screen.getByTestId('document-delete'));
    await user.click(screen.getByTestId('document-delete-confirm'));
    await waitFor(() => expect(service.of('deleteDocument')).toHaveLength(1));
  });
});
