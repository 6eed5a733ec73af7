/** The platform purges an INVALID record after this number of seconds (section 8). */
export const invalidRetention = 48 * 3_600;
