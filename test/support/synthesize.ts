import { join } from 'node:path'
import { localContext, makeApp } from '../../infra/app.ts'
import { writeFiles } from '../../infra/openapi.ts'

// A process of its own, started by assembly.ts: what the CDK holds in memory goes when it is done.
const [, , folder = ''] = process.argv
makeApp({ outdir: join(folder, 'assembly'), context: localContext }).synth()
await writeFiles(join(folder, 'files'))
