import { localContext, makeApp } from '../../infra/deploy/app.ts'
import { writeFiles } from '../../infra/openapi/files.ts'
import { isPart, type Part } from './assembly.ts'

// A separate process, started by assembly.ts: it frees the memory of the CDK when it exits.
const contexts: Readonly<Record<Exclude<Part, 'files'>, Readonly<Record<string, unknown>>>> = {
  assembly: localContext,
  'openai-assembly': { ...localContext, aiText: 'openai', aiSpeech: 'openai' },
}

const [, , part = '', folder = ''] = process.argv
if (!isPart(part)) throw new Error(`there is no part "${part}"`)
if (part === 'files') await writeFiles(folder)
else makeApp({ outdir: folder, context: contexts[part] }).synth()
