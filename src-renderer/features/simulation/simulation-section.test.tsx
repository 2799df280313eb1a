import { screen, waitFor } from '@testing-library/dom';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Simulation } from '#shared/contract/simulation.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { aChannel, fakeService, giveSize } from '../testing/fake-service.ts';
import { exceptionsText, NO_LINE_FAULTS, parseExceptions } from './fault-form.ts';
import { SimulationSection } from './simulation-section.tsx';
import { aSimulation } from './testing/a-simulation.ts';

beforeEach(async () => {
  giveSize();
  await setLanguage('en');
});

function show(now: () => Simulation, answers: Parameters<typeof fakeService>[0] = {}) {
  const asked: [string, unknown][] = [];
  const noted = (name: string) => (input: unknown) => {
    asked.push([name, input]);
    return now();
  };
  fakeService({
    simulation: now,
    listSeries: () => ({ items: [] }),
    setSimulation: noted('setSimulation'),
    setLineFaults: noted('setLineFaults'),
    ...answers,
  });
  render(
    <Providers env="test">
      <SimulationSection channel={aChannel({ conn_type: 1, status: 'running' })} />
    </Providers>,
  );
  return { user: userEvent.setup(), asked };
}

describe('the simulation of a served channel', () => {
  it('says how it goes, and in which words its formulas fail', async () => {
    const reason_message = say('simulation.no_number');
    const faults = [{ point_id: 4, code: 'P', reason: 'The result is no number', reason_message }];
    show(() => aSimulation({ fault_count: 1, faults }));
    const panel = await screen.findByTestId('simulation');
    expect(panel.getAttribute('data-state')).toBe('running');
    expect((await screen.findByTestId('simulation-fault')).textContent).toContain('a division by zero');
    await setLanguage('zh-CN');
    await waitFor(() => expect(screen.getByTestId('simulation-fault').textContent).toContain('除数为零'));
  });

  it.each([
    [{ is_on: false, is_running: false }, 'paused', 'Every formula'],
    [{ is_running: false, points: 0 }, 'none', 'No point has a formula'],
  ])('that does not run says why (%j)', async (change, state, words) => {
    show(() => aSimulation(change));
    expect((await screen.findByTestId('simulation')).getAttribute('data-state')).toBe(state);
    expect(await screen.findByText(new RegExp(words))).toBeTruthy();
  });

  it('takes speed and period when they are right, and only then', async () => {
    const { user, asked } = show(() => aSimulation());
    const speed = await screen.findByTestId('simulation-speed');
    await user.clear(speed);
    await user.type(speed, '60{Enter}');
    await waitFor(() => expect(asked).toEqual([['setSimulation', { channel_id: 1, speed: 60 }]]));
    const period = screen.getByTestId('simulation-period');
    await user.clear(period);
    await user.type(period, '5{Enter}');
    expect(await screen.findByText('From 50 to 3600000')).toBeTruthy();
    expect(asked).toHaveLength(1);
    await user.clear(period);
    await user.type(period, '200');
    await user.click(screen.getByTestId('simulation-anew'));
    await waitFor(() =>
      expect(asked.slice(1)).toEqual([
        ['setSimulation', { channel_id: 1, period_ms: 200 }],
        ['setSimulation', { channel_id: 1, anew: true }],
      ]),
    );
    await user.click(screen.getByTestId('simulation-on'));
    await waitFor(() => expect(asked.at(-1)).toEqual(['setSimulation', { channel_id: 1, is_on: false }]));
  });

  it('makes its line faulty in one step, says what is wrong, and ends all faults in one step', async () => {
    let line = NO_LINE_FAULTS;
    const { user, asked } = show(() => aSimulation({ line }));
    await user.clear(await screen.findByTestId('fault-delay_ms'));
    await user.type(screen.getByTestId('fault-delay_ms'), '250');
    expect(screen.queryByTestId('fault-wrong_check_percent')).toBeNull();
    const exceptions = screen.getByTestId('fault-exceptions');
    await user.type(exceptions, '5: x');
    expect(screen.getByTestId('faults-take')).toHaveProperty('disabled', true);
    await user.clear(exceptions);
    await user.type(exceptions, '5-9: 2');
    line = { ...NO_LINE_FAULTS, delay_ms: 250 };
    await user.click(screen.getByTestId('faults-take'));
    await waitFor(() =>
      expect(asked).toEqual([['setLineFaults', { channel_id: 1, delay_ms: 250, exceptions: [{ from: 5, to: 9, code: 2 }] }]]),
    );
    await waitFor(() => expect(screen.getByTestId('faults-end')).toHaveProperty('disabled', false));
    await user.click(screen.getByTestId('faults-end'));
    await waitFor(() => expect(asked.at(-1)).toEqual(['setLineFaults', { channel_id: 1, ...NO_LINE_FAULTS }]));
  });

  it('keeps what was written when the service refuses it', async () => {
    const { user } = show(() => aSimulation(), {
      setLineFaults: () => {
        throw new AppError('CONFIG_INVALID', quoted('not this one'));
      },
    });
    await user.clear(await screen.findByTestId('fault-silent_percent'));
    await user.type(screen.getByTestId('fault-silent_percent'), '30');
    await user.click(screen.getByTestId('faults-take'));
    expect((await screen.findByTestId('error-notice')).textContent).toContain('not this one');
    expect(screen.getByTestId('fault-silent_percent')).toHaveProperty('value', '30 %');
  });
});

describe('exceptions by address', () => {
  it('are read as they are shown', () => {
    const list = [
      { from: 100, to: 105, code: 2 },
      { from: 200, to: 200, code: 6 },
    ];
    expect(parseExceptions(exceptionsText(list))).toEqual(list);
    expect(parseExceptions('100-105：2；200：6,')).toEqual(list);
    expect(parseExceptions('')).toEqual([]);
  });

  it.each(['5', '5:', '5: 0', '5: 256', '9-5: 2', '70000: 2', '-1: 2', '5: 2 6: 2'])('%s is none', (text) => {
    expect(parseExceptions(text)).toBeNull();
  });
});
