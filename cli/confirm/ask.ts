import { confirm, isCancel } from '@clack/prompts';

/** Asks on the terminal. The answer of Enter alone is no. */
export async function askYesNo(message: string): Promise<boolean> {
  const answer = await confirm({ message, initialValue: false, output: process.stderr });
  return !isCancel(answer) && answer;
}
