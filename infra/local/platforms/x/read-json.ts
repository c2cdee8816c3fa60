import * as z from 'zod/mini'
import type { Call } from '../standin.ts'
import { refuseRequest } from './refuse.ts'

/** The body of a call by X's schema, which allows no other fields. */
export function readJson<T>(shape: z.ZodMiniType<T>, { headers, body }: Call): T {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) refuseRequest('the body must be JSON')
  const parsed = z.safeParse(shape, JSON.parse(body.toString()))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return refuseRequest(`${issue?.path.join('.')}: ${issue?.message} ${issue?.code}`)
}
