import { describe, expect, it } from 'vitest';
import { closeChannelDialog, openChannelDialog, useChannelDialogStore } from '../features/channels/channel-dialog-store.ts';
import { showCheckDialog, useCheckMemory, useCheckScreen } from '../features/check/check-store.ts';
import { closeCompare, openCompare, useCompareStore } from '../features/compare/compare-store.ts';
import { closeDoctor, openDoctor, useDoctorStore } from '../features/doctor/doctor-store.ts';
import { closeFind, openFind, useFindStore } from '../features/find/find-store.ts';
import { useInspectorStore } from '../features/inspector/inspector-store.ts';
import { makeTemplate, showLibrary, useLibraryStore } from '../features/library/library-store.ts';
import { closeImport, openImport, openImportOf, usePointFilesStore } from '../features/point-files/point-files-store.ts';
import { closePointForm, openPointForm, usePointFormStore } from '../features/point-form/point-form-store.ts';
import { showNewChannel, showReadText, showStep, useProjectsStore } from '../features/projects/projects-store.ts';
import { useReadingStore } from '../features/reading/reading-store.ts';
import type { ReadDraft } from '../features/reading/task-config.ts';
import { useTableCheckStore } from '../features/table-check/table-check-store.ts';
import { aChannel, aPoint } from '../features/testing/fake-service.ts';
import { useToolsStore } from '../features/tools/tools-store.ts';
import { openDialog, openSettings, useDialogStore } from './dialog-store.ts';

describe('what is open', () => {
  it('begins with nothing', () => {
    expect(useDialogStore.getState()).toEqual({ open: null, tab: 'display' });
    expect(useChannelDialogStore.getState()).toEqual({ dialog: null });
    expect(useCheckScreen.getState()).toEqual({ dialog: null });
    expect(useCompareStore.getState()).toEqual({ channelId: null });
    expect(useDoctorStore.getState()).toEqual({ channelId: null, slaveIds: [] });
    expect(useFindStore.getState()).toEqual({ preset: null });
    expect(useLibraryStore.getState()).toEqual({ isOpen: false, making: null });
    expect(usePointFilesStore.getState()).toEqual({ importInto: null, pasted: null, dropped: null });
    expect(usePointFormStore.getState()).toEqual({ target: null });
    expect(useProjectsStore.getState()).toEqual({ step: null, newChannel: null, hiddenMissing: '', asksDemo: false, readsText: false });
    expect(useTableCheckStore.getState()).toMatchObject({ channelId: null, filter: { rule: null, severity: 'all' } });
    expect(useToolsStore.getState()).toMatchObject({ view: null });
  });

  it('dialogs of the service open one at a time, the settings at the part that was asked for, or the first', () => {
    openSettings('access');
    expect(useDialogStore.getState()).toEqual({ open: 'settings', tab: 'access' });
    openDialog('settings');
    expect(useDialogStore.getState()).toEqual({ open: 'settings', tab: 'display' });
    openDialog(null);
    expect(useDialogStore.getState()).toEqual({ open: null, tab: 'display' });
  });

  it('dialogs of channels, points, checks and projects open with what they are about, and close', () => {
    const channel = aChannel();
    openChannelDialog({ kind: 'edit', channel });
    expect(useChannelDialogStore.getState()).toEqual({ dialog: { kind: 'edit', channel } });
    closeChannelDialog();
    expect(useChannelDialogStore.getState()).toEqual({ dialog: null });
    openPointForm({ channelId: 1, point: aPoint(), copy: true });
    expect(usePointFormStore.getState()).toEqual({ target: { channelId: 1, point: aPoint(), copy: true } });
    closePointForm();
    expect(usePointFormStore.getState()).toEqual({ target: null });
    showCheckDialog({ kind: 'record', sessionId: 2 });
    expect(useCheckScreen.getState()).toEqual({ dialog: { kind: 'record', sessionId: 2 } });
    showCheckDialog(null);
    expect(useCheckScreen.getState()).toEqual({ dialog: null });
    openCompare(3);
    expect(useCompareStore.getState()).toEqual({ channelId: 3 });
    closeCompare();
    expect(useCompareStore.getState()).toEqual({ channelId: null });
    showStep({ kind: 'copy', path: '/plant' });
    showNewChannel('table');
    showReadText(true);
    expect(useProjectsStore.getState()).toMatchObject({ step: { kind: 'copy', path: '/plant' }, newChannel: 'table', readsText: true });
    showStep(null);
    showNewChannel(null);
    showReadText(false);
    expect(useProjectsStore.getState()).toMatchObject({ step: null, newChannel: null, readsText: false });
  });

  it('the doctor forgets the addresses it was opened for', () => {
    openDoctor(3, [1, 2]);
    expect(useDoctorStore.getState()).toEqual({ channelId: 3, slaveIds: [1, 2] });
    openDoctor(4);
    expect(useDoctorStore.getState()).toEqual({ channelId: 4, slaveIds: [] });
    openDoctor(3, [1]);
    closeDoctor();
    expect(useDoctorStore.getState()).toEqual({ channelId: null, slaveIds: [] });
  });

  it('the search and the library open and close', () => {
    openFind();
    expect(useFindStore.getState()).toEqual({ preset: {} });
    openFind({ com_port: 'COM3' });
    expect(useFindStore.getState()).toEqual({ preset: { com_port: 'COM3' } });
    closeFind();
    expect(useFindStore.getState()).toEqual({ preset: null });
    showLibrary(true);
    makeTemplate({ id: 1, name: 'PCS' });
    expect(useLibraryStore.getState()).toEqual({ isOpen: true, making: { id: 1, name: 'PCS' } });
    showLibrary(false);
    makeTemplate(null);
    expect(useLibraryStore.getState()).toEqual({ isOpen: false, making: null });
  });

  it('an import is for a file, for copied rows or for a dropped file, never for two of them', () => {
    const dropped = new File([], 'table.csv');
    openImport(1, { text: 'a', type: 'YC' as never });
    expect(usePointFilesStore.getState()).toEqual({ importInto: 1, pasted: { text: 'a', type: 'YC' }, dropped: null });
    openImportOf(2, dropped);
    expect(usePointFilesStore.getState()).toEqual({ importInto: 2, pasted: null, dropped });
    openImport(3);
    expect(usePointFilesStore.getState()).toEqual({ importInto: 3, pasted: null, dropped: null });
    closeImport();
    expect(usePointFilesStore.getState()).toEqual({ importInto: null, pasted: null, dropped: null });
  });

  it('findings of a table go with a second press, and a press for another table shows all of that', () => {
    const { toggle, close, narrow } = useTableCheckStore.getState();
    toggle(1);
    narrow({ severity: 'ignored' });
    narrow({ rule: 'same_place' as never });
    expect(useTableCheckStore.getState()).toMatchObject({ channelId: 1, filter: { rule: 'same_place', severity: 'ignored' } });
    toggle(2);
    expect(useTableCheckStore.getState()).toMatchObject({ channelId: 2, filter: { rule: null, severity: 'all' } });
    toggle(2);
    expect(useTableCheckStore.getState()).toMatchObject({ channelId: null });
    toggle(2);
    close();
    expect(useTableCheckStore.getState()).toMatchObject({ channelId: null });
  });

  it('tools, drafts of reads and the inspector are remembered', () => {
    useToolsStore.getState().show('scan');
    expect(useToolsStore.getState().view).toBe('scan');
    const [one, two] = [{ mode: 'batch' }, { mode: 'single' }] as unknown as readonly ReadDraft[];
    if (one) useReadingStore.getState().setDraft(1, one);
    if (two) useReadingStore.getState().setDraft(2, two);
    expect(useReadingStore.getState().drafts).toEqual({ 1: one, 2: two });
    useInspectorStore.getState().toggle();
    useInspectorStore.getState().toggleFrames();
    expect(JSON.parse(localStorage.getItem('loopcheck.inspector') ?? '')).toEqual({ state: { isOpen: true, hasFrames: true }, version: 1 });
    useInspectorStore.getState().toggle();
    expect(useInspectorStore.getState().isOpen).toBe(false);
  });
});

describe('what a check remembers of a person', () => {
  const reload = async (text: string) => {
    localStorage.setItem('loopcheck.check', text);
    await useCheckMemory.persist.rehydrate();
    return useCheckMemory.getState();
  };
  const NOTHING = { operator: '', isSpoken: false, way: 'guided', sessionId: null, remark: null };

  it('is kept in this browser and comes back', async () => {
    const remark = { sessionId: 2, item: 'a', code: 'YX1', text: 'dirty contact' };
    const kept = { operator: 'Li', isSpoken: true, way: 'listen', sessionId: 2, remark } as const;
    useCheckMemory.setState(kept);
    const text = localStorage.getItem('loopcheck.check') ?? '';
    expect(JSON.parse(text)).toEqual({ state: kept, version: 1 });
    useCheckMemory.setState(useCheckMemory.getInitialState(), true);
    expect(await reload(text)).toEqual(kept);
  });

  it.each([
    [null, NOTHING],
    ['text', NOTHING],
    [{ operator: 'x'.repeat(101), isSpoken: 'yes', way: 'loud', sessionId: 1.5, remark: { item: 1 } }, NOTHING],
    [
      { operator: 'Li', way: 'unattended', sessionId: 7, another: 1 },
      { ...NOTHING, operator: 'Li', way: 'unattended', sessionId: 7 },
    ],
  ])('what is damaged begins anew: %o', async (state, remembered) => {
    expect(await reload(JSON.stringify({ state, version: 1 }))).toEqual(remembered);
  });
});
