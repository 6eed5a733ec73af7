import type { Writable } from 'node:stream';

/**
 * Ends a command whose reader has gone, as `head` does after its lines. Without this, Node throws, and what the command has to
 * remove stays: the rule and the queue of `tail` and `listen`.
 *
 * @param end called once, as a second signal would end the process before it has removed them
 */
export function surviveClosedPipe(streams: readonly Writable[], end: () => void): void {
  let isEnding = false;
  for (const stream of streams)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (!isEnding) end();
      isEnding = true;
    });
}
