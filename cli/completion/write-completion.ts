import type { Command } from 'commander';

/** The shells that completions can be written for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** What can follow a path of commands, such as `events ls`. */
type Choice = { readonly path: string; readonly words: readonly string[]; readonly options: readonly string[] };

/** Writes a script that completes commands and options. Holds all of them, so that no completion starts a process. */
export function writeCompletion(program: Command, shell: Shell): string {
  const choices = choicesOf(program, '', optionsOf(program));
  switch (shell) {
    case 'bash':
      return writeBash(choices);
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${writeBash(choices)}`;
    case 'fish':
      return writeFish(choices);
  }
}

function choicesOf(command: Command, path: string, shared: readonly string[]): readonly Choice[] {
  const words = command.commands.map((child) => child.name());
  const options = [...new Set([...optionsOf(command), ...shared])];
  const below = command.commands.flatMap((child) => choicesOf(child, `${path} ${child.name()}`.trim(), shared));
  return [{ path, words, options }, ...below];
}

function optionsOf(command: Command): readonly string[] {
  return [...command.options.flatMap(({ long, hidden }) => (hidden ? [] : (long ?? []))), '--help'];
}

function writeBash(choices: readonly Choice[]): string {
  const cases = choices.map(
    ({ path, words, options }) => `    '${path}') words='${words.join(' ')}'; options='${options.join(' ')}' ;;`,
  );
  return `# Completion of drawbridge for bash. To use it: source <(drawbridge completion bash)
_drawbridge_choices() {
  words=; options=
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
_drawbridge() {
  local path= word words options index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    if _drawbridge_choices "\${path:+$path }$word"; then path="\${path:+$path }$word"; fi
  done
  _drawbridge_choices "$path"
  word="\${COMP_WORDS[COMP_CWORD]}"
  if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word"))
  else COMPREPLY=($(compgen -W "$words" -- "$word")); fi
}
complete -o default -F _drawbridge drawbridge
`;
}

function writeFish(choices: readonly Choice[]): string {
  const lines = choices.flatMap(({ path, words, options }) => [
    ...(words.length === 0 ? [] : [`complete -c drawbridge -n '_drawbridge_is "${path}"' -f -a '${words.join(' ')}'`]),
    ...options.map((option) => `complete -c drawbridge -n '_drawbridge_is "${path}"' -l ${option.slice(2)}`),
  ]);
  const paths = choices.map(({ path }) => `'${path}'`).join(' ');
  return `# Completion of drawbridge for fish. To use it: drawbridge completion fish | source
function _drawbridge_is
  set -l path
  for word in (commandline -opc)[2..]
    set -l longer (string trim "$path $word")
    if contains -- "$longer" ${paths}
      set path $longer
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`;
}
