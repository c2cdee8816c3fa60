import type { Device } from '../devices/device.ts'

/** A message as a device shows it. */
export interface PushMessage {
  title: string
  body: string
  /** The page that a click opens. */
  url: string
  /** A message replaces one with the same tag: in the push service until the device gets it, and on the device. */
  tag: string
  urgency: 'normal' | 'high'
  /** What an app needs in addition to the text. */
  data: Readonly<Record<string, string>>
}

/** The outcome of a message. */
export type PushResult =
  | { outcome: 'sent' }
  /** Accepted by the provider, which reports later whether the device received it. */
  | { outcome: 'ticket'; ticketId: string }
  /** The provider no longer knows the device. */
  | { outcome: 'gone' }
  /** The message is fine: retry, but not before the delay that the provider requests. */
  | { outcome: 'retry'; reason: string; retryAfterSeconds?: number | undefined }
  /** The provider rejects the message permanently. */
  | { outcome: 'rejected'; reason: string }

/** One push service, or one type of push service. */
export interface PushProvider<D extends Device = Device> {
  /** The most messages of one call. */
  batchSize: number
  /** Sends messages; returns one result for each, in order. Nothing that a provider can cause makes it throw. */
  send(messages: readonly { device: D; message: PushMessage }[]): Promise<PushResult[]>
  /** Looks up the results of tickets; none if the provider has none yet. */
  readTickets?(ticketIds: readonly string[]): Promise<(PushResult | undefined)[]>
}

/** The time from the call to the last byte of the response; push services answer within a second. */
export const providerTimeoutMs = 10_000

/** How long a push service stores a message for an unreachable device. */
export const timeToLiveSeconds = 86_400
