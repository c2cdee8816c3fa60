/** Bundles the command line into one file, and returns the licenses of the packages inside. */
export const bundleCli: (outfile: string) => Promise<string>
