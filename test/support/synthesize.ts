import { join } from 'node:path'
import { localContext, makeApp } from '../../infra/app.ts'
import { writeFiles } from '../../infra/openapi.ts'

// A process of its own, started by assembly.ts: what the CDK holds in memory goes when it is done.
const [, , folder = ''] = process.argv
makeApp({ outdir: join(folder, 'assembly'), context: localContext }).synth()
// Fewer dimensions than the default, so that tests embed and compare faster.
const vectors = { ...localContext, memorySearch: 'hybrid', embeddingDimensions: 256 }
makeApp({ outdir: join(folder, 'vector-assembly'), context: vectors }).synth()
makeApp({
  outdir: join(folder, 'openai-assembly'),
  context: { ...localContext, aiText: 'openai', aiSpeech: 'openai' },
}).synth()
await writeFiles(join(folder, 'files'))
