import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { OutboundError, type OutboundRequest, type OutboundResponse } from '../../net/outbound.ts'
import { retryAfterSeconds, send } from '../../net/send.ts'
import { ProviderFailure } from '../failure.ts'

const connectMs = 5_000
/** Far more than any requested response. */
const maxBytes = 1024 * 1024

export interface OpenAiCall {
  url: string
  headers: Record<string, string>
  body: NonNullable<OutboundRequest['body']>
  timeoutMs: number
  resource: 'text' | 'speech'
}

/** The error of an OpenAI-compatible endpoint (OpenAI API reference, "Errors"). */
const ErrorBody = z.object({ error: z.object({ code: z.nullish(z.string()), param: z.nullish(z.string()) }) })

const filterCodes = new Set(['content_filter', 'content_policy_violation'])

const jsonOf = ({ body }: OutboundResponse): unknown => {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

/** The parameter that an endpoint does not know or accept. */
export class UnsupportedParameter extends ProviderFailure {
  readonly parameter: string
  constructor(parameter: string) {
    super('rejected', 'a parameter is not supported')
    this.parameter = parameter
  }
}

const failureOf = (ctx: Context, response: OutboundResponse): ProviderFailure => {
  const { status, headers } = response
  const detail = `status ${status}`
  if (status === 429) {
    return new ProviderFailure('busy', detail, retryAfterSeconds(headers['retry-after'], ctx.clock.now()))
  }
  if (status === 408 || status >= 500) {
    return new ProviderFailure('unreachable', detail, retryAfterSeconds(headers['retry-after'], ctx.clock.now()))
  }
  const parsed = z.safeParse(ErrorBody, jsonOf(response))
  const { code, param } = parsed.success ? parsed.data.error : {}
  if (code && filterCodes.has(code)) return new ProviderFailure('filtered', code)
  if (status === 400 && param) return new UnsupportedParameter(param)
  return new ProviderFailure('rejected', detail)
}

/** Posts to an OpenAI-compatible endpoint and returns the JSON of its response. The operator chose its address. */
export const callOpenAi = async (ctx: Context, { resource, ...call }: OpenAiCall): Promise<unknown> => {
  const { timeoutMs: totalMs, ...request } = call
  const response = await ctx
    .observe({ service: 'openai', action: 'POST', resource }, () =>
      send({ ...request, method: 'POST', totalMs, connectMs, maxBytes }),
    )
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error
      throw new ProviderFailure(error.code === 'timeout' ? 'timeout' : 'unreachable', error.code)
    })
  if (response.status < 200 || response.status > 299) throw failureOf(ctx, response)
  const json = response.truncated ? undefined : jsonOf(response)
  if (json === undefined) throw new ProviderFailure('malformed', 'a response that is not JSON')
  return json
}
