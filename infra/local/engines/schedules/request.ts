import * as z from 'zod/mini'
import type { Book } from './book.ts'
import { ScheduleRefusal } from './refusal.ts'

export interface ScheduleRequest {
  /** The decoded part of the path after the collection. */
  name: string
  query: URLSearchParams
  body: unknown
}

export type Operation = (book: Book, request: ScheduleRequest) => object

export const Name = z.string().check(z.regex(/^[\w.-]{1,64}$/))
export const ClientToken = z.optional(z.string().check(z.regex(/^[\w-]{1,64}$/)))

/** Reads a part of a request; what does not fit is a ValidationException that names the member. */
export function read<Shape extends z.ZodMiniType>(shape: Shape, value: unknown, member = ''): z.output<Shape> {
  const parsed = z.safeParse(shape, value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = [member, ...(issue?.path ?? [])].filter((part) => part !== '').join('.')
  throw new ScheduleRefusal('ValidationException', `1 validation error detected: ${where}: ${issue?.message}`)
}
