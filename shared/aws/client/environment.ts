/**
 * The variables that Lambda sets for a function, and those that name another endpoint. The SDK reads them itself, so its
 * stand-in does.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export const environment = process.env;
