import { inject } from 'vitest'
import type { Part } from './assembly.ts'

declare module 'vitest' {
  interface ProvidedContext {
    sharedSetupUrl: string
  }
}

const answers = new Map<string, Promise<string>>()

const requestValue = async (name: string): Promise<string> => {
  const answer = await fetch(`${inject('sharedSetupUrl')}/${name}`)
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

/** Each process requests once: a second request would use a connection that was closed while a test kept the process busy. */
const requestOnce = (name: string): Promise<string> => {
  const answer = answers.get(name) ?? requestValue(name)
  answers.set(name, answer)
  return answer
}

/** Resources that all services of a test run share: created once, by the global setup, on the first request. */
export interface SharedSetup {
  /** DynamoDB Local, with `TABLE=dynamodb-local`; each access key id has its own tables. */
  dynamodb?: string
  /** The folder of the synthesized templates. */
  assembly: string
  /** The folder of the files that routes serve unchanged. */
  files: string
}

/** Throws with the reason if a part cannot be made. */
export const getSharedSetup = async (templates: Exclude<Part, 'files'> = 'assembly'): Promise<SharedSetup> => {
  const [dynamodb, assembly, files] = await Promise.all([
    requestOnce('table'),
    requestOnce(templates),
    requestOnce('files'),
  ])
  return { ...(dynamodb === '' ? {} : { dynamodb }), assembly, files }
}
