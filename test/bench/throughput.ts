import { readFileSync, writeFileSync } from 'node:fs'
import { guide, withThroughput } from './throughput/guide.ts'
import { makeThroughput } from './throughput/make.ts'

/** Prints how long posts that are due at one moment take; with `--write`, puts it into the deployment guide. */
const made = await makeThroughput()
process.stdout.write(`${made}\n`)
if (process.argv.includes('--write')) writeFileSync(guide, withThroughput(readFileSync(guide, 'utf8'), made))
