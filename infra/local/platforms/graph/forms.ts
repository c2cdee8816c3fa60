import * as z from 'zod/mini'
import { type Call, parseJson, type Route } from '../standin.ts'
import { refuse } from './refuse.ts'

const Fields = z.record(z.string(), z.unknown())

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What the query of a call specifies for its response, or which route it selects. */
const notFields = ['fields', 'upload_phase']

/** The fields of a JSON body or of a form; undefined of a file. */
function fieldsIn({ headers, body }: Call): URLSearchParams | undefined {
  const type = headers['content-type'] ?? ''
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return new URLSearchParams(body.toString())
  if (type === '' && body.length === 0) return new URLSearchParams()
  if (!/^application\/json\b/i.test(type)) return undefined
  const invalid = () => refuse({ code: 100, message: '(#100) The body is not JSON' })
  const fields = z.safeParse(Fields, parseJson(body, invalid))
  if (!fields.success) return invalid()
  return new URLSearchParams(
    Object.entries(fields.data).map(([name, value]): [string, string] => [name, asText(value)]),
  )
}

/** A call with all its fields in a form: Graph API also accepts them in JSON and in the query (Graph API, Overview). */
function withForm(call: Call): Call {
  const fields = fieldsIn(call)
  if (fields === undefined) return call
  for (const [name, value] of call.query) {
    if (!notFields.includes(name) && !fields.has(name)) fields.set(name, value)
  }
  const headers = { ...call.headers, 'content-type': 'application/x-www-form-urlencoded' }
  return { ...call, headers, body: Buffer.from(fields.toString()) }
}

/** Routes that accept the fields of a call in any of these forms. */
export const takingFields = (routes: readonly Route[]): Route[] =>
  routes.map((route) =>
    route.method === 'POST' && !route.path.startsWith('/video-upload/') && route.operation !== 'authorize'
      ? { ...route, answer: (call) => route.answer(withForm(call)) }
      : route,
  )
