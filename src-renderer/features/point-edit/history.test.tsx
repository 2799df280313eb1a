import { notifications } from '@mantine/notifications';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PointHistory, PointStep } from '#shared/contract/points-edit.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { DeletePoints } from '../points/delete-points.tsx';
import { aPoint, fakeService } from '../testing/fake-service.ts';
import { StepCommands } from './history.tsx';

const step = (id: number, change: Partial<PointStep> = {}): PointStep => ({
  id,
  channel_ids: [1],
  name: 'Delete 1 point',
  name_message: quoted('Delete 1 point'),
  at: '2026-03-01T08:00:00.000Z',
  source: 'api',
  added: 0,
  changed: 0,
  removed: 1,
  undone: false,
  kept: true,
  ...change,
});

/** Deletes a point; the service answers with its step, and with the step that would be undone next when it is asked afterwards. */
async function remove(own: number | null, undo: PointStep | null) {
  const user = userEvent.setup();
  const history: PointHistory = { items: undo ? [undo] : [], undo, redo: null, limits: { steps: 100, octets: 1 } };
  const service = fakeService({
    deletePoints: () => ({ deleted: 1, step_id: own }),
    pointHistory: () => history,
    undoPoints: () => step(own ?? 0, { undone: true }),
  });
  const page = render(
    <Providers env="test">
      <StepCommands channelId={1} />
      <DeletePoints channelId={1} points={[aPoint()]} onClose={() => {}} onDeleted={() => {}} />
    </Providers>,
  );
  await user.click(screen.getByTestId('confirm'));
  await screen.findByText('1 point deleted.');
  return { service, user, page };
}

beforeEach(async () => {
  notifications.clean();
  await setLanguage('en');
});

describe('the undo beside a change', () => {
  it('takes back the step of this change', async () => {
    const { service, user } = await remove(7, step(7));
    await user.click(await screen.findByTestId('notice-undo'));
    await waitFor(() => expect(service.of('undoPoints')).toEqual([{ channel_id: 1, step_id: 7 }]));
  });

  it('is gone when its step was taken back by the key, and what was taken is told once', async () => {
    const { service, user, page } = await remove(7, step(7));
    await screen.findByTestId('notice-undo');
    // the dialog is closed
    page.rerender(
      <Providers env="test">
        <StepCommands channelId={1} />
      </Providers>,
    );
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(screen.queryByTestId('notice-undo')).toBeNull());
    await screen.findByText('Undone: Delete 1 point');
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(service.of('undoPoints')).toHaveLength(2));
    await waitFor(() => expect(screen.getAllByText('Undone: Delete 1 point')).toHaveLength(1));
  });

  it.each([
    ['somebody else changed the table meanwhile', 7, step(8)],
    ['somebody else took the change back meanwhile', 7, step(6)],
    ['nothing is left to take back', 7, null],
    ['the step was too large to be kept', 7, step(7, { kept: false })],
    ['nothing was changed', null, step(7)],
  ])('is not offered where %s', async (_, own, undo) => {
    const { service } = await remove(own, undo);
    expect(screen.queryByTestId('notice-undo')).toBeNull();
    expect(service.of('undoPoints')).toEqual([]);
  });
});
