import { describe, expect, it } from 'vitest';
import { i18n, setLanguage } from '../../i18n/index.ts';
import { causeText } from './cause-text.ts';

describe('words of a cause', () => {
  it.each([
    ['spontaneous', '突发'],
    ['periodic, cyclic', '周期、循环'],
    ['interrogated by station interrogation', '响应站召唤'],
    ['interrogated by group 16 interrogation', '响应第 16 组召唤'],
    ['requested by group 4 counter request', '响应第 4 组计数量召唤'],
    ['data-change', 'data-change'],
  ])('%s is told in the language of the reader', async (name, chinese) => {
    const t = i18n.getFixedT(null, 'events');
    await setLanguage('zh-CN');
    expect(causeText({ code: 3, name }, i18n.getFixedT('zh-CN', 'events'))).toBe(chinese);
    await setLanguage('en');
    expect(causeText({ code: 3, name }, t)).toBe(name);
  });
});
