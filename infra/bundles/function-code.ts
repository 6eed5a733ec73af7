import { join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { bundleFunction, repositoryRoot } from './bundle.ts';

/**
 * The code of a function, bundled from its sources. In the npm package `infra/bundles/prebuilt-code.ts` takes the place of this
 * file (docs/decisions/package.md, "Functions are prebuilt").
 *
 * @param entry the process entry, from the root of the repository
 */
export function functionCode(entry: string): Code {
  return Code.fromAsset(join(repositoryRoot, 'functions'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled or run: the local bundler either succeeds or throws. The command distinguishes the assets.
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
