import type { PublicMedia } from '../standin.ts'

/** The owner of a call's token. */
export interface Owner {
  id: string
  username: string
  subscription: string
}

/** A tweet as stored, with the raw text. */
export interface StoredTweet {
  id: string
  owner: Owner
  text: string
  media: readonly PublicMedia[]
  replyTo: string | null
  /** The poll, the labels, and who may reply, one line each. */
  extras?: readonly string[]
  createdAt: number
}
