import { join } from 'node:path'
import { localOptions, makeApp } from './app.ts'
import { bundleTogether } from './bundle.ts'

/** What one machine runs: all functions in one bundle, and the templates that wire them, in the folder of the argument. */
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('name the folder')
await bundleTogether(folder)
makeApp({ ...localOptions, outdir: join(folder, 'assembly') }).synth()
