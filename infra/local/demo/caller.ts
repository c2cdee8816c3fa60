import * as z from 'zod/mini'
import { Stop } from '../stop.ts'

/** The caller: none yet, a session, or a token; most routes also need the workspace. */
export interface Caller {
  baseUrl: string
  token?: string
  workspaceId?: string
}

/** The API rejected a request. */
export class Refused extends Stop {
  override name = 'Refused'
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

const Answer = z.union([
  z.object({ success: z.literal(true), data: z.unknown() }),
  z.object({ success: z.literal(false), error: z.string() }),
])

const headersOf = ({ token, workspaceId }: Caller): Record<string, string> => ({
  'content-type': 'application/json',
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  ...(workspaceId === undefined ? {} : { 'x-workspace-id': workspaceId }),
})

/** Calls the API like any program; returns the data in this shape. */
export const call = async <Shape extends z.ZodMiniType>(
  caller: Caller,
  route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`,
  shape: Shape,
  body?: unknown,
): Promise<z.infer<Shape>> => {
  const [method = '', path = ''] = route.split(' ')
  const response = await fetch(`${caller.baseUrl}${path}`, {
    method,
    headers: headersOf(caller),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = z.parse(Answer, await response.json())
  if (answer.success) return z.parse(shape, answer.data)
  throw new Refused(`${method} ${path.split('?', 1)[0]} answered ${response.status}: ${answer.error}`, response.status)
}

/** Reads the list of a page of the inbox or the stand-ins. */
export const read = async <Shape extends z.ZodMiniType>(url: string, shape: Shape): Promise<z.infer<Shape>> =>
  z.parse(shape, await (await fetch(url)).json())
