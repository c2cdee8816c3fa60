import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { ConnectedAccount } from '../account.ts'
import { baseUrlOf } from '../base-urls.ts'
import { type RequestBody, sendRequest, unclearResponse } from '../http.ts'
import { tokenOf } from '../oauth.ts'
import { definition } from './definition.ts'
import { classifySlackError, classifyStatus } from './errors.ts'

/** The largest page that is read in full: 200 channels. */
const maxPageBytes = 2 * 1024 * 1024

interface SlackCall<T> {
  /** `chat.postMessage` */
  method: string
  /** Slack decides which of the two a method takes (Slack, Web API methods). */
  form?: Readonly<Record<string, string>>
  json?: Readonly<Record<string, unknown>>
  /** The call that makes the post public. */
  creates?: boolean
  totalMs?: number
  reply: z.ZodMiniType<T>
}

const Answer = z.object({ ok: z.boolean(), error: z.optional(z.string()) })

const bodyOf = ({ form, json }: Pick<SlackCall<unknown>, 'form' | 'json'>): RequestBody =>
  json ? { type: 'application/json; charset=utf-8', bytes: JSON.stringify(json) } : { form: form ?? {} }

/** One call for an account. Slack rejects with a 200: only `ok` counts. */
export const callSlack = async <T>(
  ctx: Context,
  account: ConnectedAccount,
  { method, form, json, creates = false, totalMs, reply }: SlackCall<T>,
): Promise<T> => {
  const request = {
    platform: definition,
    method: 'POST' as const,
    base: baseUrlOf(ctx, definition, 'api'),
    path: `/api/${method}`,
    headers: { authorization: `Bearer ${tokenOf(account)}` },
    body: bodyOf({ ...(form ? { form } : {}), ...(json ? { json } : {}) }),
    maxBytes: maxPageBytes,
    // Queries after the creating call must still end within its half minute.
    totalMs: totalMs ?? (creates ? 18_000 : 20_000),
    ...(creates ? { creates } : {}),
  }
  const answer = await sendRequest(ctx, {
    ...request,
    classifyError: (refusal) => classifyStatus(z.safeParse(Answer, refusal.body).data?.error, refusal, creates),
  })
  const said = z.safeParse(Answer, answer.body).data
  if (said?.ok === false && said.error !== undefined) throw classifySlackError(said.error, answer, creates)
  const parsed = z.safeParse(reply, answer.body)
  if (!said?.ok || !parsed.success) throw unclearResponse(request, 'unexpected response body', answer.status)
  return parsed.data
}
