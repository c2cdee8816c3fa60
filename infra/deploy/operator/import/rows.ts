import * as z from 'zod/mini'
import { type Draft, DraftView, drafts } from '../../../../shared/drafts/draft.ts'
import { Asset } from '../../../../shared/media/asset.ts'
import { CollectionView } from '../../../../shared/memory/collection.ts'
import { MemoryView } from '../../../../shared/memory/memory.ts'
import { neverClaimed, Post, packMetadata, posts } from '../../../../shared/posts/lifecycle/row.ts'
import { PostView } from '../../../../shared/posts/reading/view.ts'
import { splitLongTexts } from '../../../../shared/posts/texts.ts'
import { platformIds } from '../../../../shared/resources.ts'
import { accountId, type SocialAccount, SocialAccountView } from '../../../../shared/social-accounts/social-account.ts'
import { Voice } from '../../../../shared/workspaces/voice.ts'
import type { ImportedRow } from './write.ts'

/** The records of an archive, as the sources in shared/export/sources write them. */
export const WorkspaceRecord = z.object({ id: z.string(), voiceSettings: z.nullable(Voice) })
export const AccountRecord = z.extend(SocialAccountView, {
  integratorId: z._default(z.nullable(z.string()), null),
  externalId: z.string(),
  /** Archives of earlier versions do not have it. */
  accessEndsAt: z._default(SocialAccountView.shape.accessEndsAt, null),
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  createdAt: z.string(),
})
export type AccountRecord = z.infer<typeof AccountRecord>
/** Fields that archives of earlier versions do not have. */
const later = z.partial(z.pick(PostView, { publishedAt: true, externalId: true, failure: true, version: true }))
export const PostRecord = z.extend(z.extend(PostView, later.shape), {
  attempts: Post.shape.attempts,
  media: Post.shape.media,
  assets: Post.shape.assets,
  platformPostId: Post.shape.platformPostId,
  metadata: z.nullable(z.unknown()),
})
export type PostRecord = z.infer<typeof PostRecord>
export const DraftRecord = DraftView
export type DraftRecord = z.infer<typeof DraftRecord>
export const MediaRecord = z.omit(Asset, { workspaceId: true })
export type MediaRecord = z.infer<typeof MediaRecord>
export const CollectionRecord = CollectionView
export const MemoryRecord = MemoryView

/** From where to where, and the new ids of accounts. */
export interface Target {
  from: string
  workspaceId: string
  /** The owner of the workspace, to whom collections and memories belong. */
  ownerId: string
  accounts: ReadonlyMap<string, string>
}

type Move = Pick<Target, 'from' | 'workspaceId'>

/** A storage key or URL with the new workspace instead of the old one. */
const moved = (text: string, { from, workspaceId }: Move) => text.replaceAll(`/${from}/`, `/${workspaceId}/`)
const movedFile = <T extends { storageKey: string }>(file: T, move: Move): T => ({
  ...file,
  storageKey: moved(file.storageKey, move),
})

/** An account without credentials: its person connects it again, and it keeps this id. */
export const accountOf = (record: AccountRecord, { workspaceId }: Move): SocialAccount => {
  const {
    providerId,
    externalId,
    integratorId,
    createdAt,
    details,
    providerName,
    username,
    displayName,
    profileImageUrl,
  } = record
  const platform = platformIds.find((id) => id === providerId)
  if (platform === undefined) throw new Error(`the platform ${providerId} is unknown`)
  return {
    id: accountId(workspaceId, platform, externalId),
    workspaceId,
    platform,
    externalId,
    createdAt,
    details,
    providerName,
    username,
    displayName,
    profileImageUrl,
    isConnected: false,
    needsReconnect: true,
    credentials: '',
    credentialsVersion: 0,
    eventCount: 0,
    ...(integratorId === null ? {} : { integratorId }),
  }
}

export const assetOf = (record: MediaRecord, move: Move): Asset => ({
  ...movedFile(record, move),
  workspaceId: move.workspaceId,
})

const accountIn = ({ accounts }: Target, id: string) => accounts.get(id) ?? id

export const draftRow = (record: DraftRecord, target: Target): ImportedRow => {
  const { name, metadata, mediaUrls, platformMedia, socialAccountIds, firstCommentByAccount, ...rest } = record
  const files = (urls: readonly string[]) => urls.map((url) => moved(url, target))
  const draft: Draft = {
    ...rest,
    workspaceId: target.workspaceId,
    ...(name === null ? {} : { name }),
    socialAccountIds: socialAccountIds.map((id) => accountIn(target, id)),
    mediaUrls: files(mediaUrls),
    platformMedia: Object.fromEntries(Object.entries(platformMedia).map(([id, urls]) => [id, files(urls ?? [])])),
    metadata: JSON.stringify(metadata),
    ...(firstCommentByAccount === undefined
      ? {}
      : {
          firstCommentByAccount: Object.fromEntries(
            Object.entries(firstCommentByAccount).map(([id, comment]) => [accountIn(target, id), comment]),
          ),
        }),
  }
  return { row: drafts.item(draft) }
}

/**
 * A scheduled post becomes a draft: the exported workspace may still publish it. The draft's ID is derived from the post's,
 * so that a repeat finds it.
 */
export const draftOfPost = (post: PostRecord, target: Target): ImportedRow => {
  const { id, content, socialAccountId, platform, mediaUrls, metadata, createdAt } = post
  const draft: Draft = {
    id: `drf_${id.slice(0, 24)}${id.slice(26)}`,
    workspaceId: target.workspaceId,
    content,
    createdAt,
    name: `Scheduled for ${post.scheduledAt ?? post.plannedAt}`,
    socialAccountIds: [accountIn(target, socialAccountId)],
    selectedPlatforms: [platform],
    mediaUrls,
    ...(metadata === null ? {} : { metadata: JSON.stringify({ [platform]: metadata }) }),
    version: 1,
    updatedAt: createdAt,
  }
  return { row: drafts.item(draft) }
}

/** A post that has ended. */
export const postRow = (record: PostRecord, target: Target): ImportedRow & { post: Post } => {
  const { content, metadata, media, assets, thread, reason, retrySafe, scheduledAt, plannedAt, groupId } = record
  const { id, platform, status, createdAt, publishedPostUrl, platformPostId, error } = record
  const { publishedAt, attempts } = record
  const { workspaceId } = target
  const texts = splitLongTexts(workspaceId, id)
  const post: Post = {
    id,
    workspaceId,
    platform,
    status,
    createdAt,
    publishedPostUrl,
    error,
    groupId: groupId ?? id.slice(0, 26),
    ...(record.externalId == null ? {} : { externalId: record.externalId }),
    socialAccountId: accountIn(target, record.socialAccountId),
    ...texts.store(content),
    metadata: packMetadata(metadata ?? undefined),
    media: media.map((file) => movedFile(file, target)),
    ...(assets && {
      assets: Object.fromEntries(Object.entries(assets).map(([field, file]) => [field, movedFile(file, target)])),
    }),
    scheduledAt: scheduledAt ?? plannedAt,
    scheduledAtMs: Date.parse(plannedAt),
    ...(platformPostId === undefined ? {} : { platformPostId }),
    ...(typeof publishedAt === 'string' ? { publishedAtMs: Date.parse(publishedAt) } : {}),
    ...(attempts === undefined ? {} : { attempts }),
    ...(reason === null ? {} : { reason }),
    ...(retrySafe === null ? {} : { retrySafe }),
    version: 1,
    sequence: 1,
    ...neverClaimed,
    ...(thread && { thread: { index: thread.position - 1, total: thread.totalTweets } }),
  }
  return { row: posts.item(post), beside: texts.writes(), post }
}
