import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { expect, it } from 'vitest';
import { fileToWrite } from '#sandbox/terminal/command-line.ts';

it('takes a file to write in a folder that exists, and refuses another before the run', () => {
  const file = join(tmpdir(), 'report.html');
  expect(fileToWrite(file)).toBe(file);
  expect(fileToWrite('report.html')).toBe('report.html');
  expect(() => fileToWrite(join(tmpdir(), 'drawbridge-none', 'report.html'))).toThrow(InvalidArgumentError);
});
