/** A message as a device would show it. */
export interface ShownPush {
  kind: 'web_push' | 'expo'
  /** The endpoint of a subscription, or a token of Expo. */
  to: string
  title: string
  body: string
  url: string
  tag: string
  urgency: string
  ttl: number
  /** The header Topic; null if there is none, and for Expo. */
  topic: string | null
  /** What the push service received, in base64url; empty for Expo. */
  encrypted: string
  receivedAt: number
}
