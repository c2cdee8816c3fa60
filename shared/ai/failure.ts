import { Refusal } from '../errors/refusal.ts'

/**
 * How a provider call failed. `busy` and `unreachable` can be retried. `rejected` is a fault of the deployment (a wrong key,
 * model, or address). `filtered` means that the provider refuses to write or transcribe this content, and `unusable` that it
 * cannot read the recording.
 */
export type FailureKind = 'busy' | 'unreachable' | 'timeout' | 'malformed' | 'rejected' | 'filtered' | 'unusable'

/** A provider did not respond as needed. The message never contains what was sent or received. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure'
  readonly kind: FailureKind
  readonly retryAfterSeconds: number | undefined
  constructor(kind: FailureKind, detail: string, retryAfterSeconds?: number) {
    super(`${kind}: ${detail}`)
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export const isRepeatable = ({ kind }: ProviderFailure): boolean => kind === 'busy' || kind === 'unreachable'

const defaultRetrySeconds = 30

/** What a caller learns about the failure of a provider. */
export const refusalOf = ({ kind, retryAfterSeconds }: ProviderFailure): Refusal => {
  if (kind === 'filtered') {
    return new Refusal('mismatched', 'The AI provider filtered this content. Change the text, then retry.', {
      code: 'ai_content_filtered',
    })
  }
  if (kind === 'unusable') {
    return new Refusal('invalid', 'The file cannot be transcribed. Use a recording of speech in a common format.', {
      code: 'media_without_speech',
    })
  }
  return new Refusal(
    'unavailable',
    'The AI provider does not respond at the moment. Nothing was charged. Retry later.',
    {
      code: 'ai_unavailable',
      retryAfterSeconds: retryAfterSeconds ?? defaultRetrySeconds,
    },
  )
}
