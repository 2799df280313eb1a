import { screen } from '@testing-library/dom';
import { render } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError, ERROR_CODES, type ErrorCode } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../app/providers.tsx';
import { en } from '../i18n/en/index.ts';
import { setLanguage } from '../i18n/index.ts';
import { zh } from '../i18n/zh/index.ts';
import { formatHex, modbusReference, parseAddress } from './address.ts';
import { ErrorNotice } from './error-notice.tsx';
import { formatBytes, formatDuration } from './format.ts';
import { StatusBadge } from './status-badge.tsx';
import { formatBeside, formatDateTime, formatSince, formatTime } from './time.ts';

const codes = Object.keys(ERROR_CODES) as ErrorCode[];

function show(error: AppError) {
  render(
    <Providers env="test">
      <ErrorNotice error={error} />
    </Providers>,
  );
}

describe('error notice', () => {
  beforeEach(() => setLanguage('en'));

  it.each(codes)('%s shows title, message, cause and next step', async (code) => {
    show(new AppError(code, quoted('The service said this.')));
    const words = en.errors.codes[code];
    const notice = screen.getByRole('alert');
    for (const text of [words.title, words.cause, words.next, 'The service said this.', code]) expect(notice.textContent).toContain(text);
  });

  it('speaks Chinese', async () => {
    await setLanguage('zh-CN');
    show(new AppError('TIMEOUT_RESPONSE', quoted('Slave 1 did not answer within 1000 ms.')));
    expect(screen.getByRole('alert').textContent).toContain(zh.errors.codes.TIMEOUT_RESPONSE.next);
    await setLanguage('en');
  });

  it('is absent without an error', () => {
    render(
      <Providers env="test">
        <ErrorNotice error={null} />
      </Providers>,
    );
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

it('a state is told by a word beside its icon', () => {
  const { container } = render(<StatusBadge tone="bad">Error</StatusBadge>);
  expect(container.textContent).toBe('Error');
  expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
});

describe('addresses', () => {
  it('are read decimal and hexadecimal', () => {
    expect(['16', '0x10', ' 0X00FF ', '0x02010100', '4294967295'].map(parseAddress)).toEqual([16, 16, 255, 0x02010100, 0xffffffff]);
    expect(['', '-1', '1.5', '0x', '12g', '0x123456789'].map(parseAddress)).toEqual([null, null, null, null, null, null]);
  });

  it('are shown as hexadecimal and as the classic reference', () => {
    expect([0, 31, 0x02010100].map(formatHex)).toEqual(['0x0000', '0x001F', '0x02010100']);
    const shown = [
      modbusReference(0, 3),
      modbusReference(9999, 3),
      modbusReference(0, 1),
      modbusReference(99, 2),
      modbusReference(65535, 4),
    ];
    expect(shown).toEqual(['40001', '410000', '00001', '10100', '365536']);
    expect([modbusReference(-1, 3), modbusReference(65536, 3), modbusReference(0, null), modbusReference(0, 43)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('times and sizes', () => {
  const local = new Date(2026, 2, 1, 4, 5, 6, 7);

  it('are local with milliseconds', () => {
    expect(formatTime(local.toISOString())).toBe('04:05:06.007');
    expect(formatDateTime(local.toISOString())).toBe('2026-03-01 04:05:06.007');
    expect([formatTime(null), formatDateTime('x'), formatSince(null, local)]).toEqual(['–', '–', '–']);
    expect(formatSince(local.toISOString(), local)).toBe('04:05:06');
    expect(formatSince(local.toISOString(), new Date(2026, 2, 2))).toBe('2026-03-01 04:05:06');
    expect(formatBeside(local.toISOString(), new Date(2026, 2, 1, 23).toISOString())).toMatch(/^04:05:06\.\d{3}$/);
    expect(formatBeside(local.toISOString(), new Date(2026, 2, 2).toISOString())).toMatch(/^2026-03-01 04:05:06\.\d{3}$/);
  });

  it('have a fitting unit', () => {
    expect([0, 1023, 1536, 8_388_608, 268_435_456].map(formatBytes)).toEqual(['0 B', '1023 B', '1.5 KiB', '8.0 MiB', '256 MiB']);
    expect([0.25, 1.84, 43, 1500, 200_000].map(formatDuration)).toEqual(['0.25 ms', '1.8 ms', '43 ms', '1.50 s', '3 min 20 s']);
  });
});
