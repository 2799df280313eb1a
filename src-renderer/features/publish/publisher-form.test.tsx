import { screen, waitFor } from '@testing-library/dom';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { fieldIssue, invalidInput } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { inWords } from '../../i18n/words.ts';
import { fakeService } from '../testing/fake-service.ts';
import { draftOf } from './draft.ts';
import { PublisherForm } from './publisher-form.tsx';

beforeEach(() => setLanguage('en'));

describe('the form of a publisher', () => {
  it('says at its fields what is wrong with them, in the language of the pages, and goes on when it is right', async () => {
    const wrong = [
      fieldIssue('target.url', say('publish.mqtt_url')),
      fieldIssue('target.client_id', say('field.plain_line')),
      fieldIssue('target.home_assistant.prefix', say('publish.prefix')),
    ];
    let issues = wrong;
    const service = fakeService({
      listChannels: () => [],
      setPublisher: () => {
        if (issues.length > 0) throw invalidInput(issues);
        return { id: 1 } as never;
      },
    });
    await setLanguage('zh-CN');
    let isDone = false;
    const initial = { ...draftOf('mqtt'), name: ' Plant ' };
    render(
      <Providers env="test">
        <PublisherForm
          initial={initial}
          onDone={() => {
            isDone = true;
          }}
        />
      </Providers>,
    );
    const user = userEvent.setup();
    await user.click(screen.getByTestId('publisher-home-assistant'));
    await user.click(screen.getByTestId('publisher-save'));
    await waitFor(() => expect(screen.getByTestId('publisher-url')).toHaveProperty('ariaInvalid', 'true'));
    const text = screen.getByTestId('publisher-form').textContent ?? '';
    for (const said of [say('publish.mqtt_url'), say('field.plain_line'), say('publish.prefix')])
      expect(text).toContain(inWords(said, '?'));
    expect(screen.getByTestId('publisher-discovery')).toHaveProperty('ariaInvalid', 'true');
    expect(screen.getByTestId('publisher-prefix').getAttribute('aria-invalid')).not.toBe('true');
    expect([isDone, screen.queryByRole('alert')]).toEqual([false, null]);
    issues = [];
    await user.click(screen.getByTestId('publisher-save'));
    await waitFor(() => expect(isDone).toBe(true));
    expect(service.of('setPublisher').at(-1)).toMatchObject({ name: 'Plant', target: { kind: 'mqtt', url: 'mqtt://' } });
  });

  it('proposes topics that no other one has', () => {
    const prefixes = Array.from({ length: 20 }, () => draftOf('mqtt').target).map((target) => target.kind === 'mqtt' && target.prefix);
    expect(prefixes).toEqual(prefixes.map(() => expect.stringMatching(/^loopcheck-[0-9a-f]{4}$/)));
    expect(new Set(prefixes).size).toBeGreaterThan(15);
  });
});
