import { screen } from '@testing-library/dom';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_PREFERENCES, prefer, usePreferences } from '../../app/preferences.ts';
import { Providers } from '../../app/providers.tsx';
import { i18n, setLanguage } from '../../i18n/index.ts';
import { collectInput } from './collect.ts';
import { Field } from './field.tsx';
import { checkField } from './issues.ts';
import { type FieldSpec, fieldSpec, type JsonSchema } from './schema-field.ts';

let present: unknown;

function Bench({ spec, initial }: { readonly spec: FieldSpec; readonly initial: unknown }) {
  const [value, setValue] = useState(initial);
  present = value;
  return (
    <Providers env="test">
      <form onSubmit={(event) => event.preventDefault()}>
        <Field spec={spec} text={{ label: 'The field' }} value={value} error={null} onChange={setValue} />
        <button type="submit">Save</button>
      </form>
    </Providers>
  );
}

function show(schema: JsonSchema, initial: unknown) {
  render(<Bench spec={fieldSpec('field', schema, true)} initial={initial} />);
  return { user: userEvent.setup(), box: () => document.querySelector<HTMLInputElement>('[data-path="field"]') as HTMLInputElement };
}

describe('a choice of many', () => {
  const codes = Array.from({ length: 20 }, (_, index) => `code ${index}`);

  it('is empty for what is searched when it opens, and says what is chosen when it closes', async () => {
    const { user, box } = show({ type: 'string', enum: codes }, 'code 3');
    expect(box().value).toBe('code 3');
    await user.click(box());
    expect([box().value, box().placeholder]).toEqual(['', 'code 3']);
    await user.type(box(), '17');
    await user.click(await screen.findByRole('option', { name: 'code 17' }));
    expect([present, box().value]).toEqual(['code 17', 'code 17']);
  });

  it('takes what was found by Enter, which sends no form with what was chosen before', async () => {
    const { user, box } = show({ type: 'string', enum: codes }, 'code 3');
    const sent = vi.fn();
    box().form?.addEventListener('submit', sent);
    await user.click(box());
    await user.type(box(), '17{Enter}');
    expect([present, box().value]).toEqual(['code 17', 'code 17']);
    // opened and closed again, it has what it had
    await user.keyboard('{ArrowDown}{Enter}');
    expect(present).toBe('code 17');
    expect(sent).not.toHaveBeenCalled();
    await user.keyboard('{Enter}');
    expect(sent).toHaveBeenCalledTimes(1);
  });

  it('stays as it was when nothing is chosen', async () => {
    const { user, box } = show({ type: 'string', enum: codes }, 'code 3');
    await user.click(box());
    await user.type(box(), 'nothing like it{Escape}');
    await user.tab();
    expect([present, box().value]).toEqual(['code 3', 'code 3']);
  });
});

const TEXTS: JsonSchema = { type: 'object', propertyNames: { pattern: '^-?\\d+$' }, additionalProperties: { type: 'string' } };

describe('texts of values', () => {
  it('stand in one line, are written there, and are asked for as they are stored', async () => {
    const { user, box } = show(TEXTS, { 0: '分', 1: '合' });
    expect(box().value).toBe('0=分;1=合');
    await user.clear(box());
    await user.type(box(), '0=open;1=closed');
    expect(collectInput({ field: present }, [fieldSpec('field', TEXTS, true)])).toEqual({ field: { 0: 'open', 1: 'closed' } });
  });

  it('that a line cannot hold stay as they are', () => expect(show(TEXTS, { 0: 'a;b' }).box().value).toBe('{"0":"a;b"}'));
});

describe('a number with a proposal', () => {
  const period: JsonSchema = { type: 'integer', minimum: 0, maximum: 86_400, default: 0, proposed: 900 };

  it('is off until it is ticked, then what is proposed, and can be changed and switched off', async () => {
    const { user, box } = show(period, 0);
    const tick = screen.getByTestId<HTMLInputElement>('ticks-field');
    expect([tick.checked, box().disabled, box().value]).toEqual([false, true, '900']);
    await user.click(tick);
    expect([present, box().disabled]).toEqual([900, false]);
    await user.clear(box());
    await user.type(box(), '60');
    expect(present).toBe(60);
    await user.click(tick);
    expect([present, box().disabled]).toEqual([0, true]);
  });
});

describe('a point in time', () => {
  const schema = { type: 'string', format: 'date-time' };
  const shown = () => {
    const t = i18n.getFixedT(i18n.language, 'fields');
    return checkField(t, fieldSpec('field', schema, true), present);
  };

  beforeEach(() => prefer({ timeZone: '+08:00' }));
  afterEach(async () => {
    usePreferences.setState(DEFAULT_PREFERENCES, true);
    await setLanguage('en');
  });

  it('is shown and entered in the zone of the settings, which the field names, whatever the system has', async () => {
    const { user, box } = show(schema, '2026-02-28T20:30:05.000Z');
    expect([box().type, box().value]).toEqual(['text', '2026-03-01 04:30:05']);
    expect(screen.getByText('time zone: UTC+08:00')).toBeTruthy();
    await user.clear(box());
    expect(present).toBeUndefined();
    await user.type(box(), '2026/3/1 9:05');
    expect([present, shown()]).toEqual(['2026-03-01T01:05:00.000Z', null]);
    await user.tab();
    expect(box().value).toBe('2026-03-01 09:05:00');
  });

  it.each([
    ['1.3.2026 9:05', 'Write it as YYYY-MM-DD HH:MM:SS: 2026-03-01 14:03:07.', '请写作年-月-日 时:分:秒，如 2026-03-01 14:03:07。'],
    ['2026-02-29 09:05', 'The calendar has no such day: check month and day.', '日历中没有这一天，请检查月和日。'],
    ['2026-03-01 25:00', 'The time of a day is 00:00:00 to 23:59:59.', '一天的时间为 00:00:00 到 23:59:59。'],
  ])('that cannot be read stays as it was written, and is told: %s', async (text, english, chinese) => {
    const { user, box } = show(schema, undefined);
    await user.type(box(), text);
    await user.tab();
    expect([box().value, shown()]).toEqual([text, english]);
    await setLanguage('zh-CN');
    expect(shown()).toBe(chinese);
    expect(box().placeholder).toBe('年-月-日 时:分:秒');
  });
});
