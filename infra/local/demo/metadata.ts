import * as z from 'zod/mini'
import { everyPlatform } from '../platforms/every.ts'
import { type Caller, call } from './caller.ts'

const Answer = z.record(z.string(), z.unknown())
const Entries = z.array(z.object({ id: z.string(), name: z.string() }))

/** The first entry of a list of the service. */
const firstOf = async (caller: Caller, list: string) => {
  const answer = await call(caller, `GET /api/social-accounts/${list}`, Answer)
  const [first] = z.parse(Entries, answer[list.split('/')[1] ?? ''])
  if (first === undefined) throw new Error(`${list} is empty`)
  return first
}

/** Metadata that the platforms need in addition to the text; channels and boards come from the service's lists. */
export const metadataFor = async (
  caller: Caller,
  platforms: readonly string[],
  text: string,
): Promise<Record<string, unknown>> => {
  const blocks = everyPlatform.flatMap(({ id, metadata }) =>
    metadata !== undefined && platforms.includes(id) ? [{ id, metadata }] : [],
  )
  return Object.fromEntries(
    await Promise.all(
      blocks.map(async ({ id, metadata }) => [id, await metadata(text, (list) => firstOf(caller, list))] as const),
    ),
  )
}
