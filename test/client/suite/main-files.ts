import { writeFile } from 'node:fs/promises'
import process from 'node:process'
import { files } from './files.ts'
import { runSuite } from './run.ts'

// A runtime that goes to sleep with a request open would end without a result: its parent sees that.
const [worldText = '', resultPath = ''] = process.argv.slice(2)
const outcomes = await runSuite(JSON.parse(worldText), files)
await writeFile(resultPath, JSON.stringify(outcomes))
process.exit(0)
