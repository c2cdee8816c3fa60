import * as z from 'zod/mini'
import type { Call } from '../standin.ts'
import { refuse } from './refuse.ts'

/** The parameters of a method: all its arguments, and nothing else. */
function check<T>(shape: z.ZodMiniType<T>, given: unknown): T {
  const parsed = z.safeParse(shape, given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return refuse(issue?.code === 'unrecognized_keys' ? 'invalid_arg_name' : 'invalid_arguments')
}

/** The arguments of a method that accepts only a form. */
export function readForm<T>({ headers, body }: Call, shape: z.ZodMiniType<T>): T {
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')) refuse('invalid_post_type')
  return check(shape, Object.fromEntries(new URLSearchParams(body.toString())))
}

/** An argument of a form: values that are not text are written as JSON (Slack, Web API, Form-encoded bodies). */
const readField = (value: string): unknown => (/^([{[]|true$|false$)/.test(value) ? JSON.parse(value) : value)

/**
 * The arguments of a method that accepts a form or JSON. Slack returns a warning for JSON without a charset; here it is an
 * error.
 */
export function readArgs<T>(call: Call, shape: z.ZodMiniType<T>): T {
  const { headers, body } = call
  if (/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')) {
    const fields = [...new URLSearchParams(body.toString())]
    return check(shape, Object.fromEntries(fields.map(([name, value]) => [name, readField(value)])))
  }
  if (!/^application\/json;\s*charset=utf-8$/i.test(headers['content-type'] ?? '')) refuse('invalid_post_type')
  try {
    return check(shape, JSON.parse(body.toString('utf8')))
  } catch (error) {
    if (error instanceof SyntaxError) return refuse('invalid_json')
    throw error
  }
}
