import type { Metafile } from 'esbuild'

/** Bundles the command line into one file, and returns the licenses of the packages inside. */
export const bundleCli: (outfile: string) => Promise<string>

/** The licenses of the packages in a bundle that was made in the folder of the repository. */
export const licensesIn: (metafile: Metafile) => string
