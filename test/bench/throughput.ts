import { readFileSync, writeFileSync } from 'node:fs'
import { guide, withOutput } from '../../infra/deploy/guide-block.ts'
import { makeThroughput } from './throughput/make.ts'

/** Prints how long posts that are due at one moment take; with `--write`, puts it into the deployment guide. */
const made = await makeThroughput()
process.stdout.write(`${made}\n`)
if (process.argv.includes('--write'))
  writeFileSync(guide, withOutput(readFileSync(guide, 'utf8'), 'test/bench/throughput.ts', made))
