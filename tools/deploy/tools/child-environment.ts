import { delimiter, join } from 'node:path';

/** Programs of this folder, in front of those that pip has installed. */
const programs = join(import.meta.dirname, 'programs');

export type ChildEnvironmentProps = {
  /** Variables of this process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly root: string;
  /** The folder of the programs that pip has installed. */
  readonly bin: string;
  /** The files of this run. The children find no configuration of the user in this home. */
  readonly directory: string;
};

/**
 * The environment of the emulator: no variable of the user's AWS configuration, and Node 24 of this repository first in
 * the path, because the emulator runs the functions with `node`.
 */
export function emulatorEnvironment({ env, root, bin, directory }: ChildEnvironmentProps): Record<string, string> {
  const path = [join(root, 'node_modules/.bin'), programs, bin, env['PATH']].filter((part) => part !== undefined);
  return {
    PATH: path.join(delimiter),
    HOME: directory,
    TMPDIR: directory,
    LANG: env['LANG'] ?? 'C.UTF-8',
    AWS_CONFIG_FILE: join(directory, 'no-config'),
    AWS_SHARED_CREDENTIALS_FILE: join(directory, 'no-credentials'),
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
}

export type Place = {
  /** The origin of the emulator. */
  readonly origin: string;
  /** The certificate of the emulator. */
  readonly certificate: string;
  readonly region: string;
};

/** The environment of the CDK CLI and of the AWS CLI: that of the emulator, with its address. */
export function operatorEnvironment(
  environment: Readonly<Record<string, string>>,
  { origin, certificate, region }: Place,
): Record<string, string> {
  return {
    ...environment,
    AWS_ENDPOINT_URL: origin,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_CA_BUNDLE: certificate,
    NODE_EXTRA_CA_CERTS: certificate,
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  };
}

/** The variables by which a proxy or a certificate of the user's network is found. */
const ofNetwork = [
  'HTTPS_PROXY',
  'https_proxy',
  'NO_PROXY',
  'no_proxy',
  'AWS_CA_BUNDLE',
  'NODE_EXTRA_CA_CERTS',
] as const;

/** The same for an account: with its credentials, and without the address of an emulator. */
export function accountEnvironment(
  environment: Readonly<Record<string, string>>,
  credentials: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string },
  { region, env }: { readonly region: string; readonly env: ChildEnvironmentProps['env'] },
): Record<string, string> {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const network = ofNetwork.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...environment,
    ...Object.fromEntries(network),
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    ...(sessionToken !== undefined && { AWS_SESSION_TOKEN: sessionToken }),
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  };
}
