import { converse } from '../../aws/converse.ts'
import { failureOf } from '../../aws/failure.ts'
import { ProviderFailure } from '../failure.ts'
import { estimatedTokens, type TextModel } from './model.ts'

interface SdkError extends Error {
  $metadata?: { httpStatusCode?: number }
}

/** The name of an AWS error has no content of the request; its message can have some. */
const classify = (error: unknown): ProviderFailure => {
  if (!(error instanceof Error)) return new ProviderFailure('unreachable', 'no response')
  const { name, $metadata }: SdkError = error
  const status = $metadata?.httpStatusCode ?? 0
  if (name === 'AbortError' || /Timeout/.test(name)) return new ProviderFailure('timeout', name)
  if (status === 429 || /^Throttling|^TooManyRequests/.test(name)) return new ProviderFailure('busy', name)
  if (name === 'SyntaxError') return new ProviderFailure('malformed', name)
  if (status >= 500 || failureOf(error) !== undefined) return new ProviderFailure('unreachable', name)
  if (status >= 400) return new ProviderFailure('rejected', name)
  return new ProviderFailure(status >= 200 ? 'malformed' : 'unreachable', name)
}

/** Reasons for which a Bedrock model ends without a usable response (Bedrock API, Converse, `stopReason`). */
const filtered = new Set(['content_filtered', 'guardrail_intervened'])

/** An Amazon Bedrock model, called through the API Converse. */
export const bedrock: TextModel = async (ctx, { model }, { system, data, maxTokens }, { signal, timeoutMs }) => {
  const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const answer = await converse(ctx, { model, system, text: data, maxTokens }, within).catch((error: unknown) => {
    throw within.aborted ? new ProviderFailure('timeout', 'no response in time') : classify(error)
  })
  if (filtered.has(String(answer.stopReason))) throw new ProviderFailure('filtered', String(answer.stopReason))
  const parts = answer.output?.message?.content
  const text = Array.isArray(parts) ? parts.map((part) => part?.text ?? '').join('') : ''
  if (text === '') throw new ProviderFailure('malformed', 'a response without text')
  const { inputTokens, outputTokens } = answer.usage ?? {}
  return {
    text,
    inputTokens: inputTokens ?? estimatedTokens(system + data),
    outputTokens: outputTokens ?? estimatedTokens(text),
  }
}
