/** What the help says about `--app`. */
export const appHelp =
  'the folder of your CDK app, with the folder settings in it (default: this repository in a clone, else the current folder)';
