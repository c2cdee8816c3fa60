import { localContext, makeApp } from '../../infra/deploy/app.ts'
import { writeFiles } from '../../infra/openapi/files.ts'
import { isPart, type Part } from './assembly.ts'

// A process of its own, started by assembly.ts: what the CDK holds in memory goes when it is done.
const contexts: Readonly<Record<Exclude<Part, 'files'>, Readonly<Record<string, unknown>>>> = {
  assembly: localContext,
  'openai-assembly': { ...localContext, aiText: 'openai', aiSpeech: 'openai' },
}

const [, , part = '', folder = ''] = process.argv
if (!isPart(part)) throw new Error(`there is no part "${part}"`)
if (part === 'files') await writeFiles(folder)
else makeApp({ outdir: folder, context: contexts[part] }).synth()
