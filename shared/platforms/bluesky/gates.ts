import * as z from 'zod/mini'
import type { OutgoingPost } from '../post.ts'
import type { BlueskyMetadata } from './definition.ts'

const rules = { mentioned: 'mentionRule', followers: 'followerRule', following: 'followingRule' } as const

/** The records next to a post that define who may reply and quote, by collection, without their post and time. */
export const Gates = z.record(z.string(), z.looseObject({}))
export type Gates = z.infer<typeof Gates>

const threadgate = 'app.bsky.feed.threadgate'
const postgate = 'app.bsky.feed.postgate'
export const gateCollections = [threadgate, postgate] as const

/** What the metadata asks for; undefined if it asks for none. The first post of a thread sets who can reply. */
export const gatesOf = (
  { replyGate, disableQuotes }: BlueskyMetadata,
  replyTo: OutgoingPost['replyTo'],
): Gates | undefined => {
  const gates = {
    ...(replyGate === undefined || replyTo !== undefined
      ? {}
      : { [threadgate]: { allow: replyGate.map((name) => ({ $type: `${threadgate}#${rules[name]}` })) } }),
    ...(disableQuotes === true ? { [postgate]: { embeddingRules: [{ $type: `${postgate}#disableRule` }] } } : {}),
  }
  return Object.keys(gates).length > 0 ? gates : undefined
}

/**
 * The writes that create a post and its gates, all or none. Each gate has the key of its post (lexicons threadgate and
 * postgate), so a repeat collides with the keys of the first call, and the server rejects it as a whole (PDS source,
 * applyWrites and MST.add, 2026-08).
 */
export const writesOf = (
  { uri, collection, rkey }: { uri: string; collection: string; rkey: string },
  record: Readonly<Record<string, unknown>>,
  gates: Gates,
) => {
  const create = (into: string, value: Readonly<Record<string, unknown>>) => ({
    $type: 'com.atproto.repo.applyWrites#create',
    collection: into,
    rkey,
    value,
  })
  const { createdAt } = record
  return [
    create(collection, record),
    ...Object.entries(gates).map(([into, rule]) => create(into, { $type: into, post: uri, ...rule, createdAt })),
  ]
}
