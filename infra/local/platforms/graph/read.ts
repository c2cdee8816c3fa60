import * as z from 'zod/mini'
import type { Call } from '../standin.ts'
import { refuse } from './refuse.ts'

/** The form of a call without its token; anything else is rejected, as are unknown fields. */
export function readForm<Schema extends z.ZodMiniType>(call: Call, schema: Schema): z.infer<Schema> {
  const type = call.headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
    refuse({ code: 100, message: `The stand-in takes forms alone, not ${type || 'a call without a type'}` })
  }
  const fields = Object.fromEntries(new URLSearchParams(call.body.toString()))
  for (const name of ['access_token', 'appsecret_proof']) delete fields[name]
  const parsed = schema.safeParse(fields)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const name = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : (issue?.path.join('.') ?? '')
  const wrong = issue?.code === 'unrecognized_keys' ? 'is not allowed' : `is invalid: ${issue?.message ?? ''}`
  return refuse({ code: 100, message: `(#100) Param ${name} ${wrong}` })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A field of a form that is JSON of a shape, or absent. */
export const inJson = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.optional(z.pipe(z.string(), z.pipe(z.transform(readJson), schema)))

/** The location of a call's token and proof: in its form, or in its query. */
export function secretsIn({ method, query, headers, body }: Call): URLSearchParams {
  const isForm = method === 'POST' && !/^multipart\//i.test(headers['content-type'] ?? '')
  return isForm ? new URLSearchParams(body.toString()) : query
}

/** The token of a call: in its form, in its query or in its header. */
export function tokenIn(call: Call): string {
  const { headers } = call
  return (
    secretsIn(call).get('access_token') ?? /^(?:Bearer|OAuth) (.+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? ''
  )
}

/** Exactly the requested fields of an object. */
export function pickFields(call: Call, object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = (call.query.get('fields') ?? 'id').split(',')
  for (const name of names) {
    if (!(name in object)) refuse({ code: 100, message: `(#100) Tried accessing nonexisting field (${name})` })
  }
  const picked = names.map((name) => [name, object[name]]).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(picked), id: object['id'] }
}
