import {
  ExecutionEnvironment,
  type ExecutionEnvironmentProps,
  type Invocation,
  type InvocationResult,
} from './execution-environment.ts';

export type FunctionPoolProps = Omit<ExecutionEnvironmentProps, 'id' | 'onIdle' | 'onExit'> & {
  /** Processes at a time, at the most. What is beyond waits. */
  readonly maxEnvironments: number;
  readonly newId: () => string;
};

/** The execution environments of one function: each invocation goes to one that is idle, or to a new one. */
export class FunctionPool {
  readonly #props: FunctionPoolProps;
  readonly #environments = new Map<string, ExecutionEnvironment>();
  readonly #waiting: Invocation[] = [];
  /** Environments that have the variables or the code of before, and end with their invocation. */
  readonly #outdated = new Set<string>();
  #variables: FunctionPoolProps['variables'];
  #closed = false;

  constructor(props: FunctionPoolProps) {
    this.#props = props;
    this.#variables = props.variables;
  }

  get variables(): FunctionPoolProps['variables'] {
    return this.#variables;
  }

  /** Later invocations have this variable, as after a deployment. Those that run now end with the variables that they have. */
  setVariable(name: string, value: string): void {
    this.#variables = { ...this.#variables, [name]: value };
    this.renew();
  }

  /** Later invocations load the code again. Those that run now end with what they have. */
  renew(): void {
    for (const [id, environment] of this.#environments) {
      if (environment.isIdle) environment.kill();
      else this.#outdated.add(id);
    }
  }

  invoke(payload: string, traceHeader: string): Promise<InvocationResult> {
    return new Promise((settle) => {
      this.#waiting.push({ requestId: this.#props.newId(), payload, traceHeader, settle });
      this.#dispatch();
    });
  }

  /** The environment that speaks to the Runtime API under this id. */
  environment(id: string): ExecutionEnvironment | undefined {
    return this.#environments.get(id);
  }

  /** The ids of its processes that have loaded the function. */
  pids(): readonly number[] {
    return [...this.#environments.values()].flatMap(({ pid, isUp }) => (isUp && pid !== undefined ? [pid] : []));
  }

  /** What each of its processes that have loaded the function keeps in memory, in MiB. */
  async keptMebibytes(): Promise<readonly number[]> {
    const loaded = [...this.#environments.values()].filter(({ isUp }) => isUp);
    const sizes = await Promise.all(loaded.map((environment) => environment.keptMebibytes()));
    return sizes.filter((size) => size !== undefined);
  }

  /** Kills every process immediately, as a crash does. */
  kill(): void {
    for (const environment of this.#environments.values()) environment.kill();
  }

  /** Ends every process, fails what waits, and resolves once they are gone. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#dispatch();
    await Promise.all([...this.#environments.values()].map((environment) => environment.close()));
  }

  #dispatch(): void {
    if (this.#closed) {
      const error = { errorType: 'Sandbox.Closed', errorMessage: 'The sandbox has ended.' };
      for (const { settle } of this.#waiting.splice(0)) settle({ error });
      return;
    }
    if (this.#waiting.length === 0) return;
    const idle = [...this.#environments.values()].find((environment) => environment.isIdle);
    const environment = idle ?? this.#start();
    const invocation = environment && this.#waiting.shift();
    if (environment !== undefined && invocation !== undefined) environment.assign(invocation);
  }

  #start(): ExecutionEnvironment | undefined {
    const { maxEnvironments, newId, ...props } = this.#props;
    const variables = this.#variables;
    if (this.#environments.size >= maxEnvironments) return undefined;
    const id = newId();
    const environment = new ExecutionEnvironment({
      ...props,
      id,
      variables: { ...variables, AWS_LAMBDA_RUNTIME_API: `${variables['AWS_LAMBDA_RUNTIME_API']}/${id}` },
      onIdle: () => {
        if (this.#outdated.has(id)) environment.kill();
        this.#dispatch();
      },
      onExit: () => {
        this.#environments.delete(id);
        this.#outdated.delete(id);
        this.#dispatch();
      },
    });
    this.#environments.set(id, environment);
    return environment;
  }
}
