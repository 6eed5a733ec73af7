import { confirm, isCancel, password } from '@clack/prompts';

/** Asks on the terminal. The answer of Enter alone is no. */
export async function askYesNo(message: string): Promise<boolean> {
  const answer = await confirm({ message, initialValue: false, output: process.stderr });
  return !isCancel(answer) && answer;
}

/** Asks on the terminal. The answer of Enter alone is yes. */
export async function askToContinue(message: string): Promise<boolean> {
  const answer = await confirm({ message, initialValue: true, output: process.stderr });
  return !isCancel(answer) && answer;
}

/** Asks for a text on the terminal, which shows no character of it. Undefined for Ctrl-C. */
export async function askSecret(message: string): Promise<string | undefined> {
  const answer = await password({ message, output: process.stderr });
  return isCancel(answer) ? undefined : answer;
}
