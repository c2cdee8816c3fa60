import * as z from 'zod/mini'
import { DraftView, drafts, viewDraft } from '../../drafts/draft.ts'
import { Asset, assets } from '../../media/asset.ts'
import { CollectionView, collections, collectionsOf, isVisible, viewCollection } from '../../memory/collection.ts'
import { MemoryView, memories, memoriesOf, viewMemory } from '../../memory/memory.ts'
import { metadataOf, Post, posts } from '../../posts/lifecycle/row.ts'
import { PostView, viewPost } from '../../posts/reading/view.ts'
import { readTexts } from '../../posts/texts.ts'
import { childrenSource, partitionSource } from './source.ts'

/** What the view of a post leaves out, and an import needs. */
const PostParts = z.pick(Post, { media: true, assets: true, platformPostId: true, attempts: true })

export const postSource = partitionSource({
  name: 'posts',
  description: 'The posts of every status. The tweets of a thread are posts with `thread` and one `groupId`.',
  partition: (workspaceId) => posts.key({ workspaceId, id: '' }).PK,
  lines: async (ctx, rows) => {
    const page = posts.readable(ctx, rows)
    const textOf = await readTexts(ctx, page)
    return page.map((post) => ({
      ...z.parse(PostView, viewPost(post, textOf(post))),
      ...z.parse(PostParts, post),
      metadata: metadataOf(post) ?? null,
    }))
  },
})

export const draftSource = partitionSource({
  name: 'drafts',
  description: 'The drafts.',
  partition: (workspaceId) => drafts.key({ workspaceId, id: '' }).PK,
  lines: (ctx, rows) => drafts.readable(ctx, rows).map((row) => z.parse(DraftView, viewDraft(row))),
})

const MediaLine = z.omit(Asset, { workspaceId: true, previewKey: true, previewError: true })

export const mediaSource = partitionSource({
  name: 'media',
  description: 'The media of the gallery. The file of each is below `media/`, under its id.',
  partition: (workspaceId) => assets.key({ workspaceId, id: '' }).PK,
  lines: (ctx, rows) => assets.readable(ctx, rows).map((row) => z.parse(MediaLine, row)),
})

export const collectionSource = partitionSource({
  name: 'memory_collections',
  description: 'The memory collections that the person who requested the export can see.',
  partition: collectionsOf,
  lines: (ctx, rows, { requestedBy }) =>
    collections
      .readable(ctx, rows)
      .filter((collection) => isVisible(collection, requestedBy))
      .map((collection) => z.parse(CollectionView, viewCollection(collection))),
})

export const memorySource = childrenSource({
  name: 'memories',
  description: 'The memories of those collections.',
  parents: { partition: collectionsOf },
  partition: (row, { workspaceId, requestedBy }, ctx) => {
    const [collection] = collections.readable(ctx, [row])
    return collection && isVisible(collection, requestedBy) ? memoriesOf(workspaceId, collection.id) : undefined
  },
  lines: (ctx, rows) => memories.readable(ctx, rows).map((row) => z.parse(MemoryView, viewMemory(row))),
})
