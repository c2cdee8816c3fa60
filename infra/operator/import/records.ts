import * as z from 'zod/mini'
import { DraftView } from '../../../shared/drafts/draft.ts'
import { Asset } from '../../../shared/media/asset.ts'
import { CollectionView } from '../../../shared/memory/collection.ts'
import { MemoryView } from '../../../shared/memory/memory.ts'
import { Post } from '../../../shared/posts/lifecycle/row.ts'
import { PostView } from '../../../shared/posts/reading/view.ts'
import { SocialAccountView } from '../../../shared/social-accounts/social-account.ts'
import { Voice } from '../../../shared/workspaces/voice.ts'

/** The records of an archive, as the sources in shared/export/sources write them. */
export const WorkspaceRecord = z.object({ id: z.string(), voiceSettings: z.nullable(Voice) })
export const AccountRecord = z.extend(SocialAccountView, {
  integratorId: z._default(z.nullable(z.string()), null),
  externalId: z.string(),
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
