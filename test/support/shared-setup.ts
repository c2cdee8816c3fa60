import { inject } from 'vitest'
import type { Part } from './assembly.ts'

declare module 'vitest' {
  interface ProvidedContext {
    sharedSetupUrl: string
  }
}

const answers = new Map<string, Promise<string>>()

const ask = async (name: string): Promise<string> => {
  const answer = await fetch(`${inject('sharedSetupUrl')}/${name}`)
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

/** Each process asks once: a second request would meet a connection that was closed while a test kept the process busy. */
const askOnce = (name: string): Promise<string> => {
  const answer = answers.get(name) ?? ask(name)
  answers.set(name, answer)
  return answer
}

/** What every service of a test run shares: made once, by the global setup, when the first test asks. */
export interface SharedSetup {
  /** DynamoDB Local, where `TABLE=dynamodb-local` asks for it; each access key id sees tables of its own. */
  dynamodb?: string
  /** The folder of the synthesized templates. */
  assembly: string
  /** The folder of the files that routes serve as they are. */
  files: string
}

/** Throws with the reason if a part cannot be made. */
export const getSharedSetup = async (templates: Exclude<Part, 'files'> = 'assembly'): Promise<SharedSetup> => {
  const [dynamodb, assembly, files] = await Promise.all([askOnce('table'), askOnce(templates), askOnce('files')])
  return { ...(dynamodb === '' ? {} : { dynamodb }), assembly, files }
}
