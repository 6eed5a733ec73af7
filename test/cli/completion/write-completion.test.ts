import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { writeCompletion } from '#cli/completion/write-completion.ts';
import { programForTests } from '#test/cli/program-for-tests.ts';

/** What bash offers for these words, the last of which is being written. */
function complete(...words: readonly string[]): readonly string[] {
  const quoted = ['drawbridge', ...words].map((word) => `'${word}'`).join(' ');
  const script = `${writeCompletion(programForTests(), 'bash')}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _drawbridge; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
}

describe('drawbridge completion bash', () => {
  it('completes commands, subcommands and options, also behind an option with a value', () => {
    expect(complete('qu')).toEqual(['quarantine']);
    expect(complete('events', '')).toEqual(['ls', 'show', 'replay']);
    expect(complete('events', 'ls', '--ty')).toEqual(['--type']);
    expect(complete('--env', 'production', 'events', 'sh')).toEqual(['show']);
    expect(complete('events', 'ls', '--en')).toEqual(['--env']);
  });
});

describe('drawbridge completion zsh and fish', () => {
  it('has a script with each subcommand for zsh and fish', () => {
    expect(writeCompletion(programForTests(), 'zsh')).toContain('bashcompinit');
    expect(writeCompletion(programForTests(), 'fish')).toContain(
      `complete -c drawbridge -n '_drawbridge_is "events"' -f -a 'ls show replay'`,
    );
  });
});
