import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import type { Actor } from '../audit/actor.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { allOf, asStored, present } from '../db/expression.ts'
import { retryOnConflict } from '../db/retry-on-conflict.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { Name } from '../identity/name.ts'
import { BrandColor } from './brand-color.ts'
import { Logo } from './logo.ts'
import { maxRedirectUrls, RedirectUrl } from './redirect-urls.ts'
import { workspaceRetries } from './retries.ts'
import { TimeZone } from './time-zone.ts'
import { type Member, type Workspace, workspaces } from './workspace.ts'

/** The fields of a workspace that can change. Decided: its slug never does, because others link to it. */
export const WorkspaceChange = z
  .strictObject({
    name: described(z.optional(Name), 'The new name, 1 to 80 characters.'),
    logo: described(z.optional(z.nullable(Logo)), 'The https URL of a logo; null removes it.'),
    brandColor: described(
      z.optional(z.nullable(BrandColor)),
      'The color of buttons on the pages for your customers, `#rrggbb`; null removes it.',
    ),
    timezone: described(z.optional(TimeZone), 'The new time zone, by its IANA name.'),
    redirectUrls: z.optional(
      described(
        z.array(RedirectUrl).check(z.maxLength(maxRedirectUrls)),
        `All URLs of your apps that people may return to after they connect an account, at most ${maxRedirectUrls} of 300 characters: \`https\`, or \`http\` on a loopback host, without fragment and user name. Replaces the list.`,
      ),
    ),
    assistantsEnabled: described(
      z.optional(z.boolean()),
      'Whether assistants may act for members of the workspace. Only the owner can change it; false rejects the next call of each assistant.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'WorkspaceChange',
    description: 'What changes in a workspace. Omitted fields keep their values.',
  })
export type WorkspaceChange = z.infer<typeof WorkspaceChange>

/** The refusal if the workspace was deleted during the call. */
export const noLongerMember = (): Refusal =>
  new Refusal('forbidden', 'You are not a member of this workspace.', { code: 'not_a_member' })

const names = ['name', 'logo', 'brandColor', 'timezone', 'redirectUrls', 'assistantsEnabled'] as const

/** The value of an absent attribute, where a change can send it. */
const absent: Partial<WorkspaceChange> = { brandColor: null }

/** The fields with another value than the workspace has. */
const changedBy = (workspace: Workspace, change: WorkspaceChange) =>
  names.filter(
    (name) => change[name] !== undefined && !isDeepStrictEqual(change[name], workspace[name] ?? absent[name]),
  )

const fieldsOf = (
  from: Pick<Workspace, 'redirectUrls' | 'assistantsEnabled'> & WorkspaceChange,
  of: ReturnType<typeof changedBy>,
) => Object.fromEntries(of.map((name) => [name, from[name]]))

/** Rejects a change that only the owner can make. */
export const assertMayChange = ({ assistantsEnabled }: WorkspaceChange, { role }: Member): void => {
  if (assistantsEnabled === undefined || role === 'owner') return
  throw new Refusal('forbidden', 'Only the owner of the workspace can do this.', { code: 'insufficient_role' })
}

/** Changes only the fields that were sent. */
export const updateWorkspace = (
  ctx: Context,
  asRead: Workspace,
  change: WorkspaceChange,
  by: Actor,
): Promise<Workspace> =>
  retryOnConflict(workspaceRetries, async (isFirst) => {
    const workspace = isFirst ? asRead : await workspaces.get(ctx, asRead)
    if (workspace === undefined) throw noLongerMember()
    const changed = changedBy(workspace, change)
    if (changed.length === 0) return workspace
    const [before, after] = [fieldsOf(workspace, changed), fieldsOf(change, changed)]
    const target = { type: 'workspace', id: workspace.id } as const
    const when = allOf(present('PK'), ...changed.map((name) => asStored(name, workspace[name])))
    await commit(ctx, workspace, {
      writes: [{ update: workspaces.key(workspace), change: { set: after }, when }],
      audit: { by, action: 'workspace.updated', target, before, after },
    })
    return { ...workspace, ...after }
  })
