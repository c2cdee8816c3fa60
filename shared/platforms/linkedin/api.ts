import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { baseUrlOf } from '../base-urls.ts'
import { type ErrorResponse, type PlatformResponse, sendRequest, unclearResponse } from '../http.ts'
import { PlatformError } from '../platform-error.ts'
import { definition } from './definition.ts'
import { classifyLinkedInError } from './errors.ts'

interface LinkedInCall {
  token: string
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  json?: unknown
  method?: 'DELETE'
  /** The action of a POST that creates nothing (Rest.li, header X-RestLi-Method). */
  restMethod?: 'PARTIAL_UPDATE'
  creates?: boolean
  totalMs?: number
}

/** For a long video, the response contains hundreds of upload addresses. */
const maxBytes = 2 * 1024 * 1024

/** What leaves a create open is a passing trouble of every other call. */
const sort = (answer: ErrorResponse, creates: boolean): PlatformError => {
  const error = classifyLinkedInError(answer)
  const isOpen = error.errorClass === 'unknown' && !creates
  return isOpen ? new PlatformError('transient', error.message, error.info) : error
}

/** One call to the versioned API: a GET without `json`, a POST with it. */
export const callLinkedIn = (
  ctx: Context,
  {
    token,
    path,
    params,
    query,
    json,
    method,
    restMethod,
    creates = false,
    totalMs = creates ? 30_000 : 20_000,
  }: LinkedInCall,
): Promise<PlatformResponse> =>
  sendRequest(ctx, {
    platform: definition,
    method: method ?? (json === undefined ? 'GET' : 'POST'),
    base: baseUrlOf(ctx, definition, 'api'),
    path,
    ...(params ? { params } : {}),
    ...(query ? { query } : {}),
    headers: {
      authorization: `Bearer ${token}`,
      'linkedin-version': definition.api.version,
      'x-restli-protocol-version': '2.0.0',
      ...(restMethod === undefined ? {} : { 'x-restli-method': restMethod }),
    },
    ...(json === undefined ? {} : { body: { json } }),
    creates,
    maxBytes,
    totalMs,
    classifyError: (answer) => sort(answer, creates),
  })

/** The same for a call whose response is read. */
export const askLinkedIn = async <T>(ctx: Context, request: LinkedInCall & { reply: z.ZodMiniType<T> }): Promise<T> => {
  const { body, status } = await callLinkedIn(ctx, request)
  const reply = z.safeParse(request.reply, body)
  if (!reply.success) throw unclearResponse({ platform: definition }, 'unexpected response body', status)
  return reply.data
}
