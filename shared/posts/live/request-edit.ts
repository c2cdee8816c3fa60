import * as z from 'zod/mini'
import { assistantActor } from '../../audit/actor.ts'
import { commitWithEvents } from '../../commit/commit-with-events.ts'
import type { Context } from '../../context.ts'
import { absent, allOf, equal } from '../../db/expression.ts'
import { Refusal } from '../../errors/refusal.ts'
import { described } from '../../http/described.ts'
import { definitionFor, definitionOf, tierFor } from '../../platforms/definitions.ts'
import { whyNotEditable } from '../../platforms/live-posts.ts'
import { livePosts } from '../../platforms/registry/live-posts.ts'
import { checkPost } from '../../platforms/rules/check-post.ts'
import { type SocialAccount, socialAccounts } from '../../social-accounts/social-account.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { assertVersion } from '../changes/expected.ts'
import { onFreshPost } from '../changes/on-fresh-post.ts'
import type { UpdatePostRequest } from '../changes/requests.ts'
import { filesOf } from '../files.ts'
import { assertValidPlan } from '../intake/accept.ts'
import { assertFitsTransaction } from '../intake/fits.ts'
import { assertMayPublish, orBudgetExceeded, takeBudget } from '../intake/safety.ts'
import { metadataOf, type Post, packMetadata, posts } from '../lifecycle/row.ts'
import { unchanged } from '../lifecycle/state.ts'
import { type LiveEdit, liveEdits, liveEditWork } from '../live-work/work.ts'
import { postNotFound } from '../reading/find.ts'
import { PostView, viewPost } from '../reading/view.ts'
import { readTexts } from '../texts.ts'

type Request = z.infer<typeof UpdatePostRequest>

/** A changed post; with `live=true` also how far the edit of the live post is. */
export const Updated = z.extend(PostView, {
  liveEdit: described(
    z.optional(z.enum(['pending', 'done'])),
    'Present with `live=true`. `pending`: the platform is being asked; an event tells the end, and until then the post shows its earlier text. `done`: the live post already says this.',
  ),
})
type Updated = z.infer<typeof Updated>

const unsupported = (message: string, field?: string) =>
  new Refusal('invalid', message, { code: 'live_edit_not_supported', ...(field === undefined ? {} : { field }) })

const entriesOf = (block: unknown): Readonly<Record<string, unknown>> =>
  typeof block === 'object' && block !== null ? { ...block } : {}

/** The fields of metadata that can change, in addition to the text. Throws if the post cannot be edited on its platform. */
const assertEditable = (post: Post): readonly string[] => {
  if (post.status !== 'published') {
    const text = `Only a published post can be edited at its platform. This one is ${post.status}.`
    throw new Refusal('invalid', text, { code: 'invalid_post_status' })
  }
  if (post.liveDeletedAtMs !== undefined) {
    throw new Refusal('invalid', 'The post was deleted at its platform.', { code: 'invalid_post_status' })
  }
  const offer = livePosts[post.platform].edit
  if (typeof offer === 'string') throw unsupported(`${offer} Edit the post there.`)
  if (!post.platformPostId) throw unsupported('The platform did not say which post it is. Edit the post there.')
  if (post.media.length > 0 && offer.withMedia !== undefined)
    throw unsupported(`${offer.withMedia} Edit the post there.`)
  const reason = whyNotEditable(offer, entriesOf(metadataOf(post)))
  if (reason !== undefined) throw unsupported(`${reason} Publish another post.`)
  return offer.fields
}

/** A live post keeps everything but its text and metadata. */
const assertOnlyText = (request: Request): void => {
  const { content, metadata, ...others } = request
  const [field] = Object.keys(others)
  if (field !== undefined) {
    const text = `"${field}" of a live post cannot change. With "live=true", send only "content" and "metadata".`
    throw unsupported(text, field)
  }
  if (content !== undefined || metadata !== undefined) return
  const text = 'The body changes nothing. With "live=true", send "content", "metadata", or both.'
  throw new Refusal('invalid', text, { code: 'invalid_input', field: 'content' })
}

/** Rejects another value of a metadata field that the platform does not change. */
const assertSameMetadata = (post: Post, block: unknown, fields: readonly string[]): void => {
  const [before, after] = [entriesOf(metadataOf(post)), entriesOf(block)]
  const differs = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const fixed = names.find((name) => !fields.includes(name) && differs(name))
  if (fixed === undefined) return
  const field = `metadata.${post.platform}.${fixed}`
  const { name } = definitionOf(post.platform)
  const may = fields.length === 0 ? 'Send only "content".' : `Of the metadata, only these can: ${fields.join(', ')}.`
  throw unsupported(`${name}: "${field}" of a live post cannot change. ${may}`, field)
}

/** Rejects an edited post that violates the platform's rules: the same rules as for a new post. */
const assertValid = (post: Post, account: SocialAccount | undefined, content: string, metadata: unknown): void => {
  const { media, assets } = filesOf(post)
  const tier = account && tierFor(account)
  const checked = { socialAccountId: post.socialAccountId, tier, content, metadata, media, assets }
  const issues = checkPost(definitionFor(account ?? post), checked)
  const missing = { accounts: [], media: [] }
  assertValidPlan({ issues, missing })
}

const requestOnce = async (
  ctx: Context,
  workspace: Workspace,
  { post, request, versions }: { post: Post; request: Request; versions: readonly number[] | undefined },
): Promise<Updated> => {
  const now = ctx.clock.now()
  assertMayPublish(ctx, [now])
  assertVersion(post, versions)
  const fields = assertEditable(post)
  assertOnlyText(request)
  const [textOf, pending, account] = await Promise.all([
    readTexts(ctx, [post]),
    liveEdits.get(ctx, post),
    socialAccounts.get(ctx, { workspaceId: post.workspaceId, id: post.socialAccountId }),
  ])
  const before = pending ?? { content: textOf(post), metadata: post.metadata }
  const content = request.content ?? before.content
  const block = request.metadata === undefined ? metadataOf(before) : request.metadata?.[post.platform]
  const metadata = packMetadata(block)
  assertSameMetadata(post, block, fields)
  assertValid(post, account, content, block)
  const shown = viewPost(post, textOf(post))
  if (content === before.content && metadata === before.metadata) {
    return { ...shown, liveEdit: pending === undefined ? 'done' : 'pending' }
  }
  const { id, workspaceId, socialAccountId, platform } = post
  const edition = (pending?.edition ?? 0) + 1
  const newest = { requestedAtMs: now, failedTries: 0, edition, content, metadata }
  const row: LiveEdit = { id, workspaceId, socialAccountId, platform, ...newest }
  const written = commitWithEvents(ctx, workspace, () => ({
    writes: [
      ...takeBudget(ctx, workspaceId, 1),
      pending === undefined
        ? { ...liveEditWork.beginWrite(row, now), when: absent('PK') }
        : {
            update: liveEdits.key(row),
            change: {
              set: { ...newest, ...liveEditWork.swept(id, now) },
              remove: ['dueAtMs', ...(metadata === undefined ? ['metadata'] : [])],
            },
            when: equal('edition', pending.edition),
          },
      { check: posts.key(post), when: allOf(unchanged(post), equal('sequence', post.sequence)) },
    ],
    events: [],
    audit: {
      by: assistantActor(ctx),
      action: 'post.live_edit_requested',
      target: { type: 'post', id },
      after: {
        changed: [
          ...(content === before.content ? [] : ['content']),
          ...(metadata === before.metadata ? [] : ['metadata']),
        ],
      },
    },
    check: assertFitsTransaction,
    follow: () => liveEditWork.enqueue(ctx, row),
  }))
  await written.catch((error: unknown) => {
    throw orBudgetExceeded(ctx, 1, error)
  })
  return { ...shown, liveEdit: 'pending' }
}

/**
 * Accepts the edit of a live post at its platform. The post shows the new text once the platform has it. A later request
 * replaces a pending one, and starts from the content of that one.
 */
export const requestLiveEdit = (
  ctx: Context,
  workspace: Workspace,
  first: Post,
  { request, versions }: { request: Request; versions: readonly number[] | undefined },
): Promise<Updated> =>
  onFreshPost(ctx, first, (post) => {
    if (post === undefined) throw postNotFound(first.id)
    return requestOnce(ctx, workspace, { post, request, versions })
  })
