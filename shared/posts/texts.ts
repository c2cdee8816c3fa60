import type { Context } from '../context.ts'
import { batchGet, type Write } from '../db/table.ts'
import type { Post } from './lifecycle/row.ts'

/** Text above this many bytes is stored in a separate row, once per distinct text (pipeline rule 8, shared/README.md). */
const inlineBytes = 4096

/** The partition of the long texts of a workspace. */
export const bodiesOf = (workspaceId: string): string => `WS#${workspaceId}#BODY`

const key = (workspaceId: string, bodyId: string) => ({ PK: bodiesOf(workspaceId), SK: bodyId })

/** Stores each text in its post, or in a body row that all posts of the group with the same text share. */
export const splitLongTexts = (workspaceId: string, owner: string) => {
  const known = new Map<string, string>()
  return {
    store: (text: string): Pick<Post, 'content' | 'bodyId'> => {
      if (Buffer.byteLength(text) <= inlineBytes) return { content: text }
      const bodyId = known.get(text) ?? `${owner}#${known.size}`
      known.set(text, bodyId)
      return { bodyId }
    },
    writes: (): Write[] =>
      [...known].map(([text, bodyId]) => ({ put: { ...key(workspaceId, bodyId), type: 'Body', text } })),
  }
}

/** The text of each post; long texts are read together. */
export const readTexts = async (ctx: Context, rows: readonly Post[]): Promise<(post: Post) => string> => {
  const keys = rows.flatMap((post) => (post.bodyId === undefined ? [] : [key(post.workspaceId, post.bodyId)]))
  const fetched = keys.length > 0 ? await batchGet(ctx, keys) : undefined
  return (post) => {
    if (post.bodyId === undefined) return post.content ?? ''
    const text = fetched?.item(key(post.workspaceId, post.bodyId))?.['text']
    if (typeof text !== 'string') throw new Error(`the body ${post.bodyId} of post ${post.id} is missing`)
    return text
  }
}
