/** One request that reached a hook, as `GET /deliveries` and tests see it. */
export interface Delivery {
  /** The `<name>` of `/hooks/<name>`. */
  endpoint: string
  receivedAt: number
  /** Names in lower case. */
  headers: Record<string, string>
  rawBody: string
  verified: boolean
  /** The status it was answered with; 0 when a behavior let it hang or cut it. */
  answered: number
}

/** A mail the outbox holds; mail links are opened from here. */
export interface SentMail {
  id: string
  from: string
  to: string[]
  subject: string
  text: string
  html?: string | undefined
  /** ISO text, or milliseconds since 1970. */
  sentAt: string | number
}
