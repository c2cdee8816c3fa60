import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import type { Actor } from '../audit/actor.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { absent, allOf, asStored, equal, present } from '../db/expression.ts'
import type { BatchRows, Key, Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { activeAccessTokens } from '../identity/list-access-tokens.ts'
import { Name } from '../identity/name.ts'
import { random62 } from '../ids.ts'
import { limitOfQuota } from '../quotas/quotas.ts'
import { logSecurity } from '../security-log.ts'
import { type Application, type ApplicationView, applications } from '../workspaces/application-row.ts'
import { BrandColor } from '../workspaces/brand-color.ts'
import { asReadWithTokens } from '../workspaces/count-token.ts'
import { Logo } from '../workspaces/logo.ts'
import { workspaceRetries } from '../workspaces/retries.ts'
import { members, type Workspace, workspaces } from '../workspaces/workspace.ts'

const logo = described(
  z.optional(z.nullable(Logo)),
  'The https URL of the logo that your customers see; null for none. Browsers load it, the service does not.',
)

const brandColor = described(
  z.optional(z.nullable(BrandColor)),
  'The color of buttons on the pages that your customers see, `#rrggbb`; null for none.',
)

export const RegisterApplication = z
  .strictObject({ name: described(Name, 'The name that your customers see, 1 to 80 characters.'), logo, brandColor })
  .register(z.globalRegistry, { id: 'RegisterApplicationRequest', description: 'A new application.' })
export type RegisterApplication = z.infer<typeof RegisterApplication>

export const ApplicationChange = z
  .strictObject({ name: described(z.optional(Name), 'The new name, 1 to 80 characters.'), logo, brandColor })
  .register(z.globalRegistry, {
    id: 'ApplicationChange',
    description: 'What changes in an application. Omitted fields keep their values.',
  })
export type ApplicationChange = z.infer<typeof ApplicationChange>

/** The row of the application, read together with the authorization. */
export const applicationKeys = ({ workspaceId }: { workspaceId: string }): Key[] => [applications.key({ workspaceId })]

export const viewApplication = (
  ctx: Context,
  application: Application,
  { quotas, xMonthlyCap }: Pick<Workspace, 'quotas' | 'xMonthlyCap'>,
): z.infer<typeof ApplicationView> => ({
  ...application,
  brandColor: application.brandColor ?? null,
  workspaceLimit: limitOfQuota(ctx, 'childWorkspaces', quotas),
  xCapLimit: xMonthlyCap ?? null,
})

const notRegistered = () =>
  new Refusal('missing', 'This workspace has no application. Register one with POST /api/application.', {
    code: 'application_not_found',
  })

/** The application among rows that were read; throws 404 if the workspace has none. */
export const findApplication = (rows: BatchRows, workspaceId: string): Application => {
  const application = applications.from(rows, { workspaceId })
  if (application === undefined) throw notRegistered()
  return application
}

/** The membership of an application in its own workspace, to which its tokens belong. */
const membershipOf = ({ id, workspaceId, createdAt }: Application) =>
  ({ workspaceId, userId: id, role: 'admin', status: 'active', application: true, createdAt }) as const

/**
 * Counts a new token of an application. It writes the membership in its required state: an application has access for as
 * long as it exists, whatever happened to that row.
 */
export const countApplicationToken = (application: Application): Write[] => {
  const member = membershipOf(application)
  return [
    { as: 'membership', check: applications.key(application), when: equal('id', application.id) },
    { update: members.key(member), change: { set: { ...member, type: members.type }, add: { tokensVersion: 1 } } },
  ]
}

/** Registers the application of a workspace: it has one at most. Throws 409 for a second one, and inside a child workspace. */
export const registerApplication = async (
  ctx: Context,
  workspace: Workspace,
  { name, logo = null, brandColor }: RegisterApplication,
  by: Actor,
): Promise<z.infer<typeof ApplicationView>> => {
  const { id: workspaceId } = workspace
  if (workspace.application !== undefined) {
    throw new Refusal(
      'conflict',
      'A child workspace cannot have an application. Register it in a workspace of a person.',
      { code: 'child_workspace' },
    )
  }
  const createdAt = new Date(ctx.clock.now()).toISOString()
  const id = random62(12)
  const application: Application = {
    id,
    workspaceId,
    name,
    logo,
    brandColor,
    createdAt,
    workspaceCount: 0,
    xCapAllotted: 0,
  }
  const view = viewApplication(ctx, application, workspace)
  const registered = () =>
    new Refusal('conflict', 'This workspace has an application. Change it with PATCH /api/application.', {
      code: 'application_registered',
    })
  const made = commit(ctx, workspace, {
    writes: [
      { as: 'application', put: applications.item(application), when: absent('PK') },
      { put: members.item(membershipOf(application)) },
      { check: workspaces.key(workspace), when: present('PK') },
    ],
    audit: {
      by,
      action: 'application.registered',
      target: { type: 'application', id },
      after: { name, logo, brandColor },
    },
    response: { data: view },
  })
  await currentOrThrow(made, registered, 'application')
  logSecurity(ctx, 'application_registered', { targetApplicationId: id })
  return view
}

/** An application, and the workspace that it belongs to. */
export interface OfApplication {
  home: Workspace
  application: Application
}

/** Changes only the fields that were sent. */
export const updateApplication = async (
  ctx: Context,
  { home, application: asRead }: OfApplication,
  change: ApplicationChange,
  by: Actor,
): Promise<z.infer<typeof ApplicationView>> => {
  const { id, name, logo, brandColor: stored } = asRead
  const before = { name, logo, brandColor: stored ?? null }
  const after = {
    name: change.name ?? name,
    logo: change.logo === undefined ? logo : change.logo,
    brandColor: change.brandColor === undefined ? before.brandColor : change.brandColor,
  }
  if (!isDeepStrictEqual(before, after)) {
    const when = allOf(equal('name', name), equal('logo', logo), asStored('brandColor', stored))
    const saved = commit(ctx, home, {
      writes: [{ update: applications.key(asRead), change: { set: after }, when }],
      audit: {
        by,
        action: 'application.updated',
        target: { type: 'application', id },
        before,
        after,
      },
    })
    await currentOrThrow(saved, workspaceRetries.refusal)
  }
  return viewApplication(ctx, { ...asRead, ...after }, home)
}

/** Removes an application that has no child workspaces and no live tokens; throws 409 otherwise. */
export const removeApplication = async (
  ctx: Context,
  workspace: Workspace,
  { id, name, logo, workspaceId, workspaceCount }: Application,
  by: Actor,
): Promise<void> => {
  const key = { workspaceId, userId: id }
  const [tokens, member] = await Promise.all([activeAccessTokens(ctx, id), members.get(ctx, key)])
  if (workspaceCount > 0 || tokens.length > 0) {
    const text = `The application has ${workspaceCount} child workspaces and ${tokens.length} tokens. Delete the workspaces and revoke the tokens first.`
    throw new Refusal('conflict', text, { code: 'application_in_use' })
  }
  const removed = commit(ctx, workspace, {
    writes: [
      { delete: applications.key({ workspaceId }), when: allOf(equal('id', id), equal('workspaceCount', 0)) },
      { delete: members.key(key), when: member === undefined ? absent('PK') : asReadWithTokens(member) },
    ],
    audit: { by, action: 'application.removed', target: { type: 'application', id }, before: { name, logo } },
  })
  await currentOrThrow(removed, workspaceRetries.refusal)
  logSecurity(ctx, 'application_removed', { targetApplicationId: id })
}
