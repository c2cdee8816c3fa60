import * as z from 'zod/mini'
import type { AuditAction } from '../audit/actions.ts'
import type { Actor } from '../audit/actor.ts'
import { newDataKey } from '../aws/keys.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { conditionFailed } from '../db/condition-failed.ts'
import { absent } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { Name } from '../identity/name.ts'
import { personExists } from '../identity/user.ts'
import { ulid } from '../ids.ts'
import { startsWithAccess } from '../plans/provider.ts'
import { logSecurity } from '../security-log.ts'
import { BrandColor } from './brand-color.ts'
import { Logo } from './logo.ts'
import { Slug, slugKey, slugOf, withSuffix } from './slug.ts'
import { selfHosted, unsubscribed } from './subscription.ts'
import { TimeZone } from './time-zone.ts'
import {
  type Member,
  members,
  membershipKey,
  viewWorkspace,
  type Workspace,
  WorkspaceView,
  workspaces,
} from './workspace.ts'

export const CreateWorkspace = z.strictObject({
  name: described(Name, 'The name of the workspace, 1 to 80 characters.'),
  slug: described(
    z.optional(Slug),
    'The name in addresses: 3 to 40 of `a-z`, `0-9`, and `-`. It never changes. By default one made from the name.',
  ),
  timezone: described(
    z._default(TimeZone, 'UTC'),
    'The time zone of the workspace, by its IANA name. `UTC` by default.',
  ),
  logo: described(
    z.optional(z.nullable(Logo)),
    'The https URL of a logo; null for none. Browsers load it, the service does not.',
  ),
  brandColor: described(
    z.optional(z.nullable(BrandColor)),
    'The color of buttons on the pages for your customers, `#rrggbb`; null for none. Their text is white or black, whichever can be read better.',
  ),
})
export type CreateWorkspace = z.infer<typeof CreateWorkspace>

const rowsOf = (workspace: Workspace, owner: Member): Write[] => [
  { as: 'slug', put: { ...slugKey(workspace.slug), type: 'Slug', workspaceId: workspace.id }, when: absent('PK') },
  { put: workspaces.item(workspace), when: absent('PK') },
  { put: members.item(owner) },
  { put: { ...membershipKey(owner.userId, workspace.id), type: 'Membership' } },
]

/** The owner of a new workspace, and what else is stored with it. */
interface NewWorkspace<V> {
  owner: Pick<Member, 'userId' | 'application'>
  fields: Pick<Workspace, 'subscription' | 'application' | 'xMonthlyCap' | 'quotas'>
  writes: (workspaceId: string) => readonly Write[]
  /** The audit entry, if it is not the first entry of the new workspace. */
  audit?: { workspaceId: string; action: AuditAction }
  /** What the request returns. The idempotency record stores it, so it must have no other attribute of the row. */
  view: (workspace: Workspace) => V
}

/** Creates a workspace with its first member, the owner. */
export const openWorkspace = async <V>(
  ctx: Context,
  { name, slug: requestedSlug, timezone, logo = null, brandColor }: CreateWorkspace,
  by: Actor,
  { owner: { userId, application }, fields, writes, audit, view }: NewWorkspace<V>,
): Promise<V> => {
  const nowMs = ctx.clock.now()
  const id = `ws_${ulid(nowMs)}`
  const createdAt = new Date(nowMs).toISOString()
  const dataKey = await newDataKey(ctx, id)
  const owner: Member = { workspaceId: id, userId, role: 'owner', status: 'active', application, createdAt }
  const write = async (slug: string) => {
    const workspace: Workspace = {
      id,
      name,
      slug,
      logo,
      brandColor,
      timezone,
      ...fields,
      dataKey,
      endpoints: [],
      createdAt,
    }
    const data = view(workspace)
    const action = audit?.action ?? 'workspace.created'
    await commit(
      ctx,
      { id: audit?.workspaceId ?? id },
      {
        writes: [...rowsOf(workspace, owner), ...writes(id)],
        audit: { by, action, target: { type: 'workspace', id }, after: { name, slug, timezone } },
        response: { data },
      },
    )
    logSecurity(ctx, 'workspace_created', audit ? { targetWorkspaceId: id } : { userId, workspaceId: id })
    return data
  }
  const slug = requestedSlug ?? slugOf(name)
  return write(slug).catch((error: unknown) => {
    if (!conditionFailed(error, 'slug')) throw error
    // Decided: a slug made from the name gets a suffix if it is taken; a requested one is rejected.
    if (requestedSlug === undefined) return write(withSuffix(slug))
    throw new Refusal('conflict', `The slug "${slug}" is taken. Choose another one.`, {
      code: 'slug_taken',
      field: 'slug',
    })
  })
}

/** Creates a workspace of a person. */
export const createWorkspace = (
  ctx: Context,
  userId: string,
  request: CreateWorkspace,
  by: Actor,
): Promise<z.infer<typeof WorkspaceView>> =>
  openWorkspace(ctx, request, by, {
    owner: { userId },
    fields: { subscription: startsWithAccess(ctx) ? selfHosted : unsubscribed },
    writes: () => [personExists(userId)],
    view: (workspace) => z.parse(WorkspaceView, viewWorkspace(ctx, workspace, 'owner')),
  })
