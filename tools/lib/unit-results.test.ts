import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inRoot } from './paths.ts';
import { failedTests } from './unit-results.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unit-results-'));
  file = join(folder, 'results.json');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a failed test is named with its file and the beginning of its message', () => {
  const long = `AssertionError: 1 is not 2\n${'x\n'.repeat(100)}end`;
  const assertions = [
    { fullName: 'passes', status: 'passed', failureMessages: [] },
    { fullName: 'fails', status: 'failed', failureMessages: [long] },
  ];
  const results = [{ name: inRoot('src-main/a.test.ts'), status: 'failed', message: '', assertionResults: assertions }];
  writeFileSync(file, JSON.stringify({ testResults: results }));
  const told = failedTests(file);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain(`  ${join('src-main', 'a.test.ts')} > fails\n    AssertionError: 1 is not 2`);
  expect(told[0]).not.toContain('end');
});

test('a file that could not be loaded is named', () => {
  const broken = { name: inRoot('a.test.ts'), status: 'failed', message: 'Cannot find module', assertionResults: [] };
  const fine = { name: inRoot('b.test.ts'), status: 'passed', message: '', assertionResults: [] };
  writeFileSync(file, JSON.stringify({ testResults: [broken, fine] }));
  expect(failedTests(file)).toEqual(['  a.test.ts\n    Cannot find module']);
});

test('no report is no failure; one cut short is told', () => {
  expect(failedTests(file)).toEqual([]);
  writeFileSync(file, '{"testRes');
  expect(failedTests(file)[0]).toContain('cannot be read');
});
