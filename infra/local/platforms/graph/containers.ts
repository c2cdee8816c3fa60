import { randomBytes, randomInt } from 'node:crypto'
import { dayMs } from '../../../../shared/time.ts'
import type { PublicMedia, PublicPost, SimulatorContext } from '../standin.ts'
import type { StoredMap } from '../stored-map.ts'

/** The parts of a post before it is public. */
export interface StoredContainer {
  id: string
  account: string
  type: string
  text: string
  /** Allowed only inside a carousel. */
  isItem: boolean
  media: PublicMedia[]
  /** Why its media failed, in the platform's error text. */
  failure: string | null
  /** The id of the post that it replies to. */
  replyTo?: string
  /** Published before this time, it becomes a post that replies to nothing. */
  repliesFrom?: number
  createdAt: number
  readyAt: number
  publishedAs: string | null
  /** What a post shows in addition to its text and media, one line each. */
  extras?: readonly string[]
}

export interface StoredPost {
  id: string
  account: string
  type: string
  text: string
  media: PublicMedia[]
  /** The id of the post that it replies to. */
  replyTo?: string
  shortcode: string
  url: string
  publishedAt: number
  extras?: readonly string[]
}

export type ContainerState = 'IN_PROGRESS' | 'FINISHED' | 'PUBLISHED' | 'ERROR' | 'EXPIRED'

export interface Containers {
  readonly posts: StoredMap<StoredPost>
  find(id: string): StoredContainer | undefined
  stateOf(container: StoredContainer): ContainerState
  /** A new container; its media is stored, and ready after a while. */
  add(
    made: Omit<StoredContainer, 'id' | 'createdAt' | 'readyAt' | 'publishedAs'>,
    processingMs: number,
  ): StoredContainer
  publish(container: StoredContainer): StoredPost
  /** A post that no container of ours became. */
  other(account: string, text: string): void
}

/** The type of posts that people make in the app; the API's quotas do not count them. */
export const byHand = 'BY HAND'

const lifeMs = dayMs

/** IDs in Meta's format: digits, and more of them than a JavaScript number holds. */
export const newId = (): string => `17${Array.from({ length: 15 }, () => randomInt(10)).join('')}`

/** Stores fetched bytes; returns how a public post shows them. */
export function keepMedia(
  { blobs }: SimulatorContext,
  file: { type: string; bytes: Buffer },
  alt: string,
): PublicMedia {
  const key = `m-${randomBytes(12).toString('hex')}`
  blobs.put(key, file.bytes)
  return { key, type: file.type, alt }
}

/** Containers live for a day: in progress, finished, published once; or in error, or expired. */
export function openContainers(
  { clock, keep }: SimulatorContext,
  addressOf: (shortcode: string, account: string) => string,
): Containers {
  const containers = keep<StoredContainer>('containers')
  const posts = keep<StoredPost>('posts')
  function post(made: Pick<StoredPost, 'account' | 'type' | 'text' | 'media' | 'extras' | 'replyTo'>): StoredPost {
    const shortcode = randomBytes(8).toString('base64url')
    const stored = {
      id: newId(),
      ...made,
      shortcode,
      url: addressOf(shortcode, made.account),
      publishedAt: clock.now(),
    }
    posts.set(stored.id, stored)
    return stored
  }
  return {
    posts,
    other: (account, text) => void post({ account, type: byHand, text, media: [] }),
    find: (id) => containers.get(id),
    stateOf({ publishedAs, failure, createdAt, readyAt }) {
      if (publishedAs !== null) return 'PUBLISHED'
      if (clock.now() >= createdAt + lifeMs) return 'EXPIRED'
      if (clock.now() < readyAt) return 'IN_PROGRESS'
      return failure === null ? 'FINISHED' : 'ERROR'
    },
    add(made, processingMs) {
      const createdAt = clock.now()
      const container = { ...made, id: newId(), createdAt, readyAt: createdAt + processingMs, publishedAs: null }
      containers.set(container.id, container)
      return container
    },
    publish(container) {
      const { account, type, text, media, extras = [], replyTo, repliesFrom = 0 } = container
      const isReply = replyTo !== undefined && clock.now() >= repliesFrom
      const published = post({ account, type, text, media, extras, ...(isReply ? { replyTo } : {}) })
      containers.set(container.id, { ...container, publishedAs: published.id })
      return published
    },
  }
}

export function toPublicPost(nameOf: (account: string) => string, posts: Containers['posts']) {
  return ({ account, text, media, replyTo, url, publishedAt, extras = [] }: StoredPost): PublicPost => ({
    account: nameOf(account),
    text,
    media,
    replyTo: posts.get(replyTo ?? '')?.url ?? null,
    url,
    publishedAt,
    extras,
  })
}

/** Meta's form of a moment. */
export const timestampOf = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, '+0000')
