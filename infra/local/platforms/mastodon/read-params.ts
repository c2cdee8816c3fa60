import * as z from 'zod/mini'
import { MultipartError, parseMultipart } from '../../pages/multipart.ts'
import { type Call, parseJson } from '../standin.ts'
import { refuse } from './refuse.ts'

type Tree = { [name: string]: unknown }

const emptyTree = (): Tree => Object.create(null)
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The tree of fields whose names are paths: each `poll[options][]` is one option of a poll. */
function treeOf(fields: Iterable<readonly [string, string]>): Tree {
  const tree = emptyTree()
  for (const [name, value] of fields) {
    const path = name.match(/[^[\]]+/g) ?? []
    const last = path.pop() ?? ''
    let node = tree
    for (const key of path) {
      const inner = node[key]
      const next = isTree(inner) ? inner : emptyTree()
      node[key] = next
      node = next
    }
    const earlier = node[last]
    node[last] = name.endsWith('[]') ? [...(Array.isArray(earlier) ? earlier : []), value] : value
  }
  return tree
}

function readMultipart({ headers, body }: Call): Tree {
  try {
    const parts = parseMultipart(headers['content-type'] ?? '', body)
    return treeOf(parts.map(({ name, bytes }) => [name, bytes.toString()]))
  } catch (error) {
    if (error instanceof MultipartError) return refuse(400, 'The body is no multipart form')
    throw error
  }
}

/** The parameters of a call: JSON, or a form of either kind (Mastodon API, Getting started, Parameters). */
export function readParams<T>(schema: z.ZodMiniType<T>, call: Call): T {
  const type = call.headers['content-type'] ?? ''
  const sent = /^application\/json\b/i.test(type)
    ? parseJson(call.body, () => refuse(400, 'The body is not JSON'))
    : /^multipart\/form-data\b/i.test(type)
      ? readMultipart(call)
      : treeOf(new URLSearchParams(call.body.toString()))
  const read = z.safeParse(schema, sent)
  return read.data ?? refuse(422, `Validation failed: ${read.error?.issues[0]?.path.join('.')} is invalid`)
}

const noes = ['0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF']

/** A boolean as forms have it, too (Mastodon API, Getting started, Data types, Boolean). */
export const Flag = z.union([
  z.boolean(),
  z.pipe(
    z.union([z.string(), z.number()]),
    z.transform((sent) => !noes.includes(String(sent))),
  ),
])

/** A whole number, also in its form encoding. */
export const Whole = z.union([z.int(), z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number))])
