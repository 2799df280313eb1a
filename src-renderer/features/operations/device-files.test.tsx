import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { aChannel, fakeService } from '../testing/fake-service.ts';
import { DeviceFiles } from './device-files.tsx';
import type { OperationReport } from './operations-store.ts';
import { useOperationsStore } from './operations-store.ts';
import { ResultView } from './result-view.tsx';

/** What the browser was given to save, in order. */
const saved: { readonly name: string; readonly content: Blob }[] = [];

function watchDownloads(): void {
  saved.length = 0;
  const contents = new Map<string, Blob>();
  // jsdom has neither
  URL.createObjectURL = (content) => {
    const url = `blob:${contents.size}`;
    contents.set(url, content as Blob);
    return url;
  };
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const content = contents.get(this.href);
    if (content) saved.push({ name: this.download, content });
  });
}

const PART = 256 * 1024;
const LISTED = {
  records: [{ record: 'COMTRADE/F1', files: ['COMTRADE/F1.cfg', 'COMTRADE/F1.dat'], size: PART + 10, is_complete: true }],
  files: [
    { name: 'COMTRADE/F1.cfg', size: 10, modified: '2024-03-01T12:00:00.000Z' },
    { name: 'COMTRADE/F1.dat', size: PART + 5, modified: null },
  ],
  more: true,
};
const SIZES: Readonly<Record<string, number>> = { 'COMTRADE/F1.cfg': 10, 'COMTRADE/F1.dat': PART + 5 };

interface Asked {
  readonly params: { readonly name: string; readonly position: number; readonly max_octets: number };
}

/** What a device answers to a part of a file. */
function part({ params: { name, position, max_octets } }: Asked, more: Record<string, unknown> = {}): OperationReport {
  const size = SIZES[name] ?? 0;
  const octets = Math.max(0, Math.min(max_octets, size - position));
  const result = { name, size, modified: 'then', position, octets, base64: base64Of(octets, position) };
  return { outcome: 'accepted', stages: [], result: { ...result, ...more } };
}

function base64Of(octets: number, position: number): string {
  let text = '';
  for (let at = 0; at < octets; at++) text += String.fromCharCode((position + at) % 251);
  return btoa(text);
}

function show(answer: (asked: Asked) => OperationReport | Promise<OperationReport>) {
  const service = fakeService({ deviceOperation: (asked: unknown) => answer(asked as Asked) });
  const { unmount } = render(
    <Providers env="test">
      <DeviceFiles channel={aChannel({ protocol_type: 5, name: 'Relay' })} result={LISTED} />
    </Providers>,
  );
  return { service, unmount };
}

beforeEach(async () => {
  watchDownloads();
  useOperationsStore.setState({ runs: {}, chosen: {}, given: {} });
  await setLanguage('en');
});

describe('files of a device', () => {
  it('a record is saved as the set that it is, each file whole and in order', async () => {
    const user = userEvent.setup();
    const { service } = show((asked) => part(asked));
    await user.click(screen.getByRole('button', { name: 'Save all' }));
    await waitFor(() => expect(saved).toHaveLength(2));
    expect(saved.map(({ name, content }) => [name, content.size])).toEqual([
      ['F1.cfg', 10],
      ['F1.dat', PART + 5],
    ]);
    const octets = new Uint8Array((await saved[1]?.content.arrayBuffer()) ?? new ArrayBuffer(0));
    expect(octets.every((octet, at) => octet === at % 251)).toBe(true);
    expect(service.of('deviceOperation').map((asked) => (asked as unknown as Asked).params.position)).toEqual([0, 0, PART]);
  });

  it('tells how far it is, and is cancelled: nothing is saved, and nothing more asked', async () => {
    const user = userEvent.setup();
    const waits = Promise.withResolvers<void>();
    const { service } = show(async (asked) => {
      if (asked.params.position > 0) await waits.promise;
      return part(asked);
    });
    await user.click(screen.getAllByRole('button', { name: 'Save' })[1] as HTMLElement);
    await waitFor(() => expect(screen.getByTestId('file-progress').textContent).toContain('COMTRADE/F1.dat: 256 KiB of 256 KiB'));
    await user.click(screen.getByTestId('file-cancel'));
    waits.resolve();
    await waitFor(() => expect(screen.queryByTestId('file-progress')).toBeNull());
    expect(saved).toEqual([]);
    expect(service.of('deviceOperation')).toHaveLength(2);
  });

  it('is left: what is under way ends', async () => {
    const user = userEvent.setup();
    const waits = Promise.withResolvers<void>();
    const { service, unmount } = show(async (asked) => {
      await waits.promise;
      return part(asked);
    });
    await user.click(screen.getByRole('button', { name: 'Save all' }));
    unmount();
    waits.resolve();
    await waits.promise;
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    expect([service.of('deviceOperation').length, saved.length]).toEqual([1, 0]);
  });

  it.each([
    [
      'changed meanwhile',
      (asked: Asked) => part(asked, { modified: String(asked.params.position) }),
      'was changed in the device while it was read',
    ],
    ['shorter than told', (asked: Asked) => part(asked, { size: PART * 2 }), 'ended before the size'],
    ['larger than may be', (asked: Asked) => part(asked, { size: 2 ** 31 }), 'is larger than 256 MiB'],
    [
      'refused',
      (): OperationReport => ({
        outcome: 'rejected',
        stages: [{ name: 'rejected', at: '2026-03-01T08:00:05.100Z', detail: 'file-busy' }],
        result: {},
      }),
      'COMTRADE/F1.dat: file-busy',
    ],
  ])('a file that is %s is not saved, and it is said', async (_, answer, words) => {
    const user = userEvent.setup();
    show(answer);
    await user.click(screen.getAllByRole('button', { name: 'Save' })[1] as HTMLElement);
    expect(await screen.findByText(new RegExp(words))).toBeTruthy();
    expect(saved).toEqual([]);
  });

  it('a list that is not complete says where it goes on', () => {
    show((asked) => part(asked));
    expect(screen.getByText(/goes on behind: COMTRADE\/F1\.dat/)).toBeTruthy();
  });

  it('the header of a record is asked for with its file', async () => {
    const user = userEvent.setup();
    show((asked) => part(asked));
    await user.click(screen.getByRole('button', { name: 'Header' }));
    const { chosen, given } = useOperationsStore.getState();
    expect([chosen[1], given[1]]).toEqual(['record_header', { file: 'COMTRADE/F1.cfg' }]);
  });
});

describe('a table of what an operation brought', () => {
  const columns = ['reference', 'buffered', 'state', 'owner', 'report_id', 'data_set', 'revision', 'integrity_ms', 'buffer_ms'];
  const row = ['LD/LLN0.b[BR]', true, 'free', '', 'R1', 'LD/LLN0$ds', 4, 1000, 50];

  it('that is wide keeps to its first columns; the others open below the row', async () => {
    const user = userEvent.setup();
    render(
      <Providers env="test">
        <ResultView table={{ name: 'blocks', columns, rows: [row] }} operation="report_blocks" />
      </Providers>,
    );
    // the list has the name that it has in this operation
    expect(screen.getByRole('table', { name: 'Report control blocks' })).toBeTruthy();
    expect(screen.getAllByRole('columnheader')).toHaveLength(7);
    expect(screen.queryByTestId('operation-details')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Details of LD/LLN0.b[BR]' }));
    expect(screen.getByTestId('operation-details').textContent).toBe('ConfRev4Integrity period (ms)1000 msBuffer time (ms)50 ms');
  });

  it('that is not is shown as it is', () => {
    render(
      <Providers env="test">
        <ResultView table={{ name: '', columns: columns.slice(0, 8), rows: [row.slice(0, 8)] }} operation="x" />
      </Providers>,
    );
    expect(screen.getAllByRole('columnheader')).toHaveLength(8);
    expect(screen.queryByRole('button', { name: /Details/ })).toBeNull();
  });
});
