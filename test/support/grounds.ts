import { inject } from 'vitest'
import * as z from 'zod/mini'

/** What every service of a test run stands on: made once, by the global setup, when the first test asks. */
const Grounds = z.object({
  /** DynamoDB Local, where `TABLE=dynamodb-local` asks for it; each access key id sees tables of its own. */
  dynamodb: z.optional(z.string()),
  /** The folder of the synthesized templates. */
  assembly: z.string(),
  /** The folder of the files that routes serve as they are. */
  files: z.string(),
})
export type Grounds = z.infer<typeof Grounds>

declare module 'vitest' {
  interface ProvidedContext {
    groundsUrl: string
  }
}

/** Asks the global setup for the grounds; throws with its reason where they cannot be made. */
export const askForGrounds = async (): Promise<Grounds> => {
  const answer = await fetch(inject('groundsUrl'))
  if (!answer.ok) throw new Error(await answer.text())
  return z.parse(Grounds, await answer.json())
}
