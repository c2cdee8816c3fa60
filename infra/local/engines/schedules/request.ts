import * as z from 'zod/mini'
import type { Book } from './book.ts'
import { ScheduleRefusal } from './refusal.ts'

export interface ScheduleRequest {
  /** The decoded part of the path after the collection: a name or an ARN. */
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

const MaxResults = z.int().check(z.minimum(1), z.maximum(100))

/** One page of a list that is sorted by key; the token is the last key of the page before. */
export function pageOf<Item>(
  items: ReadonlyMap<string, Item>,
  query: URLSearchParams,
): { page: Item[]; NextToken?: string } {
  const max = read(MaxResults, Number(query.get('MaxResults') ?? 100), 'MaxResults')
  const after = Buffer.from(query.get('NextToken') ?? '', 'base64url').toString()
  const keys = [...items.keys()].sort().filter((key) => key > after)
  const shown = keys.slice(0, max)
  const page = shown.flatMap((key) => items.get(key) ?? [])
  const last = shown.at(-1)
  return last === undefined || shown.length === keys.length
    ? { page }
    : { page, NextToken: Buffer.from(last).toString('base64url') }
}
