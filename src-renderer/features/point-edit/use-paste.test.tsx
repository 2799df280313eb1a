import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { Area } from '../../app/area.tsx';
import { Providers } from '../../app/providers.tsx';
import { useUiStore } from '../../app/ui-store.ts';
import { usePointFilesStore } from '../point-files/point-files-store.ts';
import { fakeService } from '../testing/fake-service.ts';
import { usePaste } from './use-paste.ts';

const ROWS = 'Code\tAddress\nYC1\t1';

function Table({ channelId }: { readonly channelId: number }) {
  usePaste(channelId, null);
  return <span>table {channelId}</span>;
}

function show() {
  fakeService({});
  render(
    <Providers env="test">
      <Area name="main" label="main" className={undefined}>
        <Table channelId={1} />
      </Area>
      <Area name="beside" label="beside" className={undefined}>
        <Table channelId={2} />
      </Area>
    </Providers>,
  );
}

/** The channels whose import was opened by one paste. */
function pasted(): number[] {
  const channels: number[] = [];
  const stop = usePointFilesStore.subscribe(({ importInto }) => {
    if (importInto !== null) channels.push(importInto);
  });
  fireEvent.paste(document.body, { clipboardData: { getData: () => ROWS } });
  stop();
  return channels;
}

beforeEach(() => {
  usePointFilesStore.setState({ importInto: null, pasted: null });
  useUiStore.setState({ beside: { channelId: 2, tab: 'points' }, activeArea: 'main' });
});

describe('rows that are pasted', () => {
  it('go to the work area that was worked in last, and to that one only', () => {
    show();
    expect(pasted()).toEqual([1]);
    fireEvent.pointerDown(screen.getByText('table 2'));
    expect(pasted()).toEqual([2]);
    fireEvent.pointerDown(screen.getByText('table 1'));
    expect(pasted()).toEqual([1]);
    expect(usePointFilesStore.getState().pasted).toEqual({ text: ROWS, type: 'all' });
  });
});
