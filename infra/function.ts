import { join } from 'node:path';
import { AssetHashType, DockerImage, type Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { bundleFunction, repositoryRoot } from './bundle.ts';

export type DrawbridgeFunctionProps = {
  /** What it does, for whoever reads the console. */
  readonly description: string;
  /** Its process entry, from the root of the repository: `functions/<capability>/<verb>.lambda.ts`. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memorySize: number;
  readonly timeout: Duration;
  readonly logRetention: RetentionDays;
  /** Executions at a time: at most so many, and so many that no other function of the account can take. */
  readonly reservedConcurrency?: number | undefined;
  /** Whether Lambda writes lines of its own for each invocation (START, REPORT), or for those that fail alone. */
  readonly platformLog?: 'every invocation' | 'failures';
};

/**
 * The one way to make a function: Node 24 on arm64, bundled, with a log group of its own, and a role that may write to
 * that and to X-Ray until something is granted.
 */
export class DrawbridgeFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, id: string, props: DrawbridgeFunctionProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Logs', { retention: props.logRetention });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    this.lambda = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: bundledCode(props.entry),
      handler: 'index.handler',
      environment: { ...props.environment },
      memorySize: props.memorySize,
      timeout: props.timeout,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      ...(props.platformLog === 'failures' && { systemLogLevelV2: SystemLogLevel.WARN }),
      ...(props.reservedConcurrency !== undefined && { reservedConcurrentExecutions: props.reservedConcurrency }),
      tracing: Tracing.ACTIVE,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray takes trace segments on no resource but *.',
    });
  }

  /** Lets it do exactly this, on exactly that. */
  allow(actions: readonly string[], resourceArn: string): void {
    this.lambda.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [resourceArn] }));
  }
}

function bundledCode(entry: string): Code {
  return Code.fromAsset(join(repositoryRoot, 'functions'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled or run: the local bundler either succeeds or throws. The command tells one asset from another.
      image: DockerImage.fromRegistry('none'),
      command: [entry],
      local: {
        tryBundle: (outputDirectory) => {
          bundleFunction(entry, outputDirectory);
          return true;
        },
      },
    },
  });
}
