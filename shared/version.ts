/** The release that this code is, as package.json names it. A semantic version. */
export const version = '0.3.0';
