import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { aChannel, fakeService } from '../testing/fake-service.ts';
import { OperationOutcome } from './operation-outcome.tsx';

const POINTS = [
  { frame_type: 0, code: 'SS.103.A', address: 40_072 },
  { frame_type: 0, code: 'SS.103.W', address: 40_084 },
];
const RESULT = { address: 40_000, models: [{ model: 103, title: 'Inverter', address: 40_070, length: 50, points: 2 }], points: POINTS };

function show(addPoints: () => never) {
  const service = fakeService({ addPoints });
  const report = { outcome: 'accepted' as const, stages: [], result: RESULT };
  render(
    <Providers env="test">
      <OperationOutcome
        channel={aChannel({ name: 'Inverter' })}
        run={{ at: 0, end: { kind: 'report', report } } as never}
        operation="discover_sunspec"
      />
    </Providers>,
  );
  return service;
}

describe('points that an operation made', () => {
  beforeEach(() => setLanguage('en'));

  it('are counted and not listed, and added by one click, once', async () => {
    const user = userEvent.setup();
    const service = show(() => ({ step_id: 1, items: POINTS }) as never);
    expect(screen.getByTestId('operation-outcome').textContent).toContain('Inverter');
    expect(screen.queryByText('SS.103.A')).toBeNull();
    expect(service.of('addPoints')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Add 2 points to the table' }));
    expect(service.of('addPoints')).toEqual([{ channel_id: 1, points: POINTS }]);
    await waitFor(() => expect(screen.getByTestId('add-found-points')).toHaveProperty('disabled', true));
  });

  it('stay to be added when the service refuses them, which is told', async () => {
    const user = userEvent.setup();
    show(() => {
      throw new AppError('CONFIG_INVALID', quoted('The code SS.103.A is taken.'));
    });
    await user.click(screen.getByTestId('add-found-points'));
    expect(await screen.findByText(/SS\.103\.A is taken/)).toBeTruthy();
    expect(screen.getByTestId('add-found-points')).toHaveProperty('disabled', false);
  });
});
