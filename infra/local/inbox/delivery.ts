/** One request that reached a hook, as `GET /deliveries` and tests see it. */
export interface Delivery {
  /** The `<name>` of `/hooks/<name>`. */
  endpoint: string
  receivedAt: number
  /** Names in lower case. */
  headers: Record<string, string>
  rawBody: string
  verified: boolean
  /** The status of the response; 0 if a behavior hung or reset the connection. */
  answered: number
}

/** An email in the outbox; email links are opened from here. */
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
