import { inject } from 'vitest'
import * as z from 'zod/mini'

/** What every service of a test run shares: created once, by the global setup, when the first test asks. */
const SharedSetup = z.object({
  /** DynamoDB Local, where `TABLE=dynamodb-local` asks for it; each access key id sees tables of its own. */
  dynamodb: z.optional(z.string()),
  /** The folder of the synthesized templates. */
  assembly: z.string(),
  /** The same of a deployment that searches memories by their meaning. */
  vectorAssembly: z.string(),
  /** The same of a deployment with OpenAI-compatible endpoints for AI. */
  openAiAssembly: z.string(),
  /** The folder of the files that routes serve as they are. */
  files: z.string(),
})
export type SharedSetup = z.infer<typeof SharedSetup>

declare module 'vitest' {
  interface ProvidedContext {
    sharedSetupUrl: string
  }
}

const ask = async (): Promise<SharedSetup> => {
  const answer = await fetch(inject('sharedSetupUrl'))
  if (!answer.ok) throw new Error(await answer.text())
  return z.parse(SharedSetup, await answer.json())
}

let answer: Promise<SharedSetup> | undefined

/**
 * Returns the shared setup; throws with the reason if it cannot be created. Each process asks once: a second request would
 * meet a connection that was closed while a test kept the process busy.
 */
export const getSharedSetup = (): Promise<SharedSetup> => {
  answer ??= ask()
  return answer
}
