import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { bootstrapFile } from '#sandbox/laptop-files.ts';

/** What a function did with an invocation: its answer as JSON, or how it failed. */
export type InvocationResult = (
  | { readonly payload: string; readonly error?: undefined }
  | { readonly error: { readonly errorType: string; readonly errorMessage: string } }
) & {
  /** What the function has logged so far. A line that is on its way comes with the next turns of the event loop. */
  readonly log?: readonly string[];
};

export type Invocation = {
  readonly requestId: string;
  readonly payload: string;
  /** The SDK sends it with each call of the function, so that AWS can follow the chain of requests. */
  readonly traceHeader: string;
  readonly settle: (result: InvocationResult) => void;
};

export type ExecutionEnvironmentProps = {
  readonly id: string;
  readonly functionArn: string;
  readonly taskRoot: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
  /** How far its time is ahead of the real one, in milliseconds. It learns of it with each invocation. */
  readonly clockAhead: () => number;
  readonly onLog: (line: string) => void;
  /** Called when it can take an invocation. */
  readonly onIdle: () => void;
  /** Called once, when its process is gone. */
  readonly onExit: () => void;
};

/** How a function fails that exceeds its time limit. */
export const timeoutErrorType = 'Sandbox.Timedout';

const exitErrorType = 'Runtime.ExitError';

/** How a run fails that could not end what it had begun. */
export const cutErrorTypes: ReadonlySet<string> = new Set([timeoutErrorType, exitErrorType]);

/** In seconds. Lambda gives a function this long to load, and then the time of its first invocation to load again. */
const initTimeout = 10;

/**
 * One execution environment: a process that is kept from one invocation to the next, works on one at a time, and is
 * thrown away when it crashes or runs out of time.
 */
export class ExecutionEnvironment {
  readonly id: string;
  readonly #props: ExecutionEnvironmentProps;
  readonly #process: ChildProcess;
  #poll: ServerResponse | undefined;
  #invocation: Invocation | undefined;
  #timer: NodeJS.Timeout;
  /** The lines of the invocation that it works on, or worked on last. */
  #log: string[] = [];
  #isUp = false;

  constructor(props: ExecutionEnvironmentProps) {
    this.id = props.id;
    this.#props = props;
    this.#process = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        `--max-old-space-size=${props.memoryMegabytes}`,
        bootstrapFile,
        String(props.clockAhead()),
      ],
      { cwd: props.taskRoot, env: { ...props.variables }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    );
    const onLine = (line: string) => {
      this.#log.push(line);
      props.onLog(line);
    };
    for (const stream of [this.#process.stdout, this.#process.stderr]) forEachLine(stream, onLine);
    this.#process.once('exit', (code, signal) => this.#exited(code, signal));
    this.#timer = setTimeout(
      () => this.#fail(timeoutErrorType, 'The function did not load in time.'),
      (initTimeout + props.timeoutSeconds) * 1000,
    );
  }

  /** The id of its process; undefined if it could not be started. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Whether it has loaded the function, and is not being ended. */
  get isUp(): boolean {
    return this.#isUp;
  }

  get isIdle(): boolean {
    return this.#isUp && this.#invocation === undefined;
  }

  /** What its process keeps in memory after it has collected its garbage, in MiB; undefined if it ends before it answers. */
  keptMebibytes(): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const onMessage = (answer: unknown) => resolve(z.number().parse(answer));
    const onExit = () => resolve(undefined);
    this.#process.once('message', onMessage).once('exit', onExit);
    this.#process.send('keptMebibytes', (error) => {
      if (error !== null) resolve(undefined);
    });
    return promise.finally(() => this.#process.off('message', onMessage).off('exit', onExit));
  }

  /** Gives it an invocation. It takes it as soon as it asks for one: after it has loaded, or answered the last one. */
  assign(invocation: Invocation): void {
    this.#invocation = invocation;
    if (this.#poll !== undefined) this.#handOver(this.#poll, invocation);
    else if (this.#isUp) this.#limitTime();
  }

  /** Takes a request for the next invocation. */
  next(response: ServerResponse): void {
    clearTimeout(this.#timer);
    this.#isUp = true;
    if (this.#invocation !== undefined) {
      this.#handOver(response, this.#invocation);
      return;
    }
    this.#poll = response;
    this.#props.onIdle();
  }

  /** Takes what the function did with the invocation of this id. */
  finish(requestId: string, result: InvocationResult): void {
    if (this.#invocation?.requestId !== requestId) return;
    const { settle } = this.#invocation;
    this.#invocation = undefined;
    clearTimeout(this.#timer);
    settle({ ...result, log: this.#log });
  }

  /** Handles the report that the function could not be loaded. Its process ends by itself. */
  failInit(error: { readonly errorType: string; readonly errorMessage: string }): void {
    this.#settle({ error });
  }

  kill(): void {
    this.#isUp = false;
    this.#process.kill('SIGKILL');
  }

  /** Ends it, and resolves once its process is gone. */
  async close(): Promise<void> {
    const gone = once(this.#process, 'exit');
    this.kill();
    if (this.#process.exitCode === null && this.#process.signalCode === null) await gone;
  }

  #handOver(response: ServerResponse, { requestId, payload, traceHeader }: Invocation): void {
    const { timeoutSeconds, functionArn, clockAhead } = this.#props;
    this.#poll = undefined;
    this.#log = [];
    this.#limitTime();
    response
      .writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': requestId,
        'lambda-runtime-deadline-ms': String(Date.now() + timeoutSeconds * 1000),
        'lambda-runtime-invoked-function-arn': functionArn,
        'lambda-runtime-trace-id': traceHeader,
        'sandbox-clock-ahead-ms': String(clockAhead()),
      })
      .end(payload);
  }

  #limitTime(): void {
    const { timeoutSeconds } = this.#props;
    this.#timer = setTimeout(
      () => this.#fail(timeoutErrorType, `Task timed out after ${timeoutSeconds.toFixed(2)} seconds`),
      timeoutSeconds * 1000,
    );
  }

  #fail(errorType: string, errorMessage: string): void {
    this.#props.onLog(JSON.stringify({ errorType, errorMessage }));
    this.#settle({ error: { errorType, errorMessage } });
    this.kill();
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): void {
    clearTimeout(this.#timer);
    const how = signal === null ? `exit status ${code}` : `signal: ${signal}`;
    this.#settle({ error: { errorType: exitErrorType, errorMessage: `Runtime exited with error: ${how}` } });
    this.#props.onExit();
  }

  #settle(result: InvocationResult): void {
    const invocation = this.#invocation;
    this.#invocation = undefined;
    invocation?.settle(result);
  }
}

function forEachLine(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  stream?.once('end', () => {
    if (rest !== '') onLine(rest);
  });
}
