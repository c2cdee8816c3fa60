import { jsonToLex, lexicons } from '@atproto/api'
import * as z from 'zod/mini'
import type { Mismatch } from '../../../../infra/local/platforms/official-schema.ts'
import atproto from '../node_modules/@atproto/api/package.json' with { type: 'json' }
import type { RecordedAnswer } from './record.ts'
import type { Source } from './source.ts'

/** What is read of a definition of a lexicon (https://atproto.com/specs/lexicon). */
const Definition = z.looseObject({
  type: z.string(),
  ref: z.optional(z.string()),
  properties: z.optional(z.record(z.string(), z.unknown())),
  items: z.optional(z.unknown()),
  input: z.optional(z.object({ schema: z.optional(z.unknown()) })),
  output: z.optional(z.object({ schema: z.optional(z.unknown()) })),
})
const Fields = z.record(z.string(), z.unknown())

/** Fields that lexicons allow and no lexicon names. */
function unnamed(definition: unknown, value: unknown, path: readonly string[]): Mismatch[] {
  const { type, ref = '', properties, items } = z.parse(Definition, definition)
  if (type === 'ref') return unnamed(lexicons.getDefOrThrow(ref), value, path)
  if (type === 'array' && Array.isArray(value))
    return value.flatMap((item, n) => unnamed(items, item, [...path, String(n)]))
  if (type === 'union') return unnamed(lexicons.getDefOrThrow(z.parse(Typed, value).$type), value, path)
  if (properties === undefined) return []
  return Object.entries(z.parse(Fields, value)).flatMap(([name, field]) => {
    const known = properties[name]
    if (known !== undefined) return unnamed(known, field, [...path, name])
    return name === '$type' ? [] : [{ path: [...path, name], message: 'is named by no lexicon' }]
  })
}

const Typed = z.looseObject({ $type: z.string() })
/** Every rejection (https://atproto.com/specs/xrpc, Error Responses). */
const Failure = z.strictObject({ error: z.string(), message: z.string() })
/** Seen of the video service, and in no lexicon: the job that has the same bytes. */
const Known = z.extend(Failure, {
  error: z.literal('already_exists'),
  did: z.string(),
  jobId: z.string(),
  state: z.string(),
})
/** Records, which the lexicons of their calls leave open. */
const Read = z.union([
  z.looseObject({ value: Typed }),
  z.pipe(
    z.looseObject({ records: z.array(z.looseObject({ value: Typed })) }),
    z.transform(({ records }) => records),
  ),
])

const Written = z.looseObject({ record: Typed })

function complaintsOf(check: () => unknown): Mismatch[] {
  try {
    check()
    return []
  } catch (error) {
    return [{ path: [], message: error instanceof Error ? error.message : String(error) }]
  }
}

const recordMismatches = (record: z.infer<typeof Typed>): Mismatch[] => [
  ...complaintsOf(() => lexicons.assertValidRecord(record.$type, jsonToLex(record))),
  ...unnamed(lexicons.getDefOrThrow(record.$type, ['record']).record, record, ['record']),
]

function checkOne({ route, status, body }: RecordedAnswer): readonly Mismatch[] | undefined {
  const nsid = route.replace('/xrpc/', '')
  if (status >= 400) return complaintsOf(() => z.parse(status === 409 ? Known : Failure, body))
  const { output } = z.parse(Definition, lexicons.getDefOrThrow(nsid))
  if (output === undefined) return body === undefined ? [] : [{ path: [], message: 'must have no body' }]
  const records = [z.safeParse(Read, body).data ?? []].flat()
  return [
    ...complaintsOf(() => lexicons.assertValidXrpcOutput(nsid, jsonToLex(body))),
    ...records.flatMap(({ value }) => recordMismatches(value)),
    ...(output.schema === undefined ? [] : unnamed(output.schema, body, [])),
  ]
}

/** Records by their own lexicons: those of the calls leave them open. */
function checkSentOne({ route, sent }: RecordedAnswer): readonly Mismatch[] | undefined {
  if (sent === undefined) return undefined
  const nsid = route.replace('/xrpc/', '')
  const { input } = z.parse(Definition, lexicons.getDefOrThrow(nsid))
  const { record } = z.safeParse(Written, sent).data ?? {}
  return [
    ...complaintsOf(() => lexicons.assertValidXrpcInput(nsid, jsonToLex(sent))),
    ...(input?.schema === undefined ? [] : unnamed(input.schema, sent, [])),
    ...(record === undefined ? [] : recordMismatches(record)),
  ]
}

export const bluesky: Source = {
  platform: 'bluesky',
  file: 'lexicons of @atproto/api',
  version: atproto.version,
  check: (answers) => answers.map(checkOne),
  checkSent: (answers) => answers.map(checkSentOne),
  undescribed: {},
}
