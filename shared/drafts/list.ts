import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { listNewest, type PageRequest } from '../db/list.ts'
import { described } from '../http/described.ts'
import { cutText } from '../text/cut.ts'
import { type Draft, DraftView, drafts, viewDraft } from './draft.ts'

/** A page of 200 drafts of this many bytes stays below the 6 MB limit of a function's response. */
const wholeBytes = 20_000
const excerptLength = 1000

/** A draft as shown in a list: long drafts are cut. */
export const ListedDraft = z
  .extend(DraftView, {
    truncated: described(
      z.optional(z.literal(true)),
      'Present if the draft is long: `content` is cut, and texts, files, and metadata of platforms are left out.',
    ),
  })
  .register(z.globalRegistry, { id: 'ListedDraft', description: 'A draft in a list.' })

const viewListed = (draft: Draft): z.infer<typeof ListedDraft> => {
  const view = viewDraft(draft)
  if (Buffer.byteLength(JSON.stringify(view)) <= wholeBytes) return view
  const content = cutText(view.content, excerptLength)
  return { ...view, content, platformContent: {}, platformMedia: {}, metadata: {}, truncated: true }
}

/** A page of drafts, newest first by creation. */
export const listDrafts = (ctx: Context, workspaceId: string, page: PageRequest) => {
  const { PK } = drafts.key({ workspaceId, id: '' })
  const rows = { readable: drafts.readable, view: viewListed }
  return listNewest(ctx, { workspaceId, PK, kind: 'DRAFT', count: 'all' }, page, rows)
}
