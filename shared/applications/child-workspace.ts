import * as z from 'zod/mini'
import type { Actor } from '../audit/actor.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { conditionFailed } from '../db/condition-failed.ts'
import { absent, allOf, asStored, atMost, below, type Condition, equal, present } from '../db/expression.ts'
import { retryOnConflict } from '../db/retry-on-conflict.ts'
import { batchGet, get, type Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { cutPage, pageQuery } from '../http/page.ts'
import { assertQuota } from '../quotas/count.ts'
import { limitOfQuota, type QuotaLimits } from '../quotas/quotas.ts'
import { singleLine } from '../text/single-line.ts'
import { wellFormed } from '../text/well-formed.ts'
import { type Application, applications } from '../workspaces/application-row.ts'
import { paidByApplication } from '../workspaces/child-plan.ts'
import { CreateWorkspace, openWorkspace } from '../workspaces/create.ts'
import { workspaceIdsOf } from '../workspaces/list.ts'
import { workspaceRetries } from '../workspaces/retries.ts'
import { externalIdKey, type Workspace, WorkspaceView, workspaces } from '../workspaces/workspace.ts'
import type { OfApplication } from './application.ts'

/** The quotas that an application can set for a child workspace. */
const childQuotas = ['drafts', 'memories', 'storageBytes', 'uploadMebibytes', 'exports'] as const

const maxCallsPerMinute = 10_000

const ExternalId = z.string().check(z.minLength(1), z.maxLength(200), singleLine, wellFormed)

const limits = {
  xMonthlyCap: described(
    z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000))),
    'Posts to X in a month. By default the cap of the deployment. If the plan of the application has a cap, children share that one, and the default is 0.',
  ),
  callsPerMinute: described(
    z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(maxCallsPerMinute)))),
    'Calls in a minute by tokens of the application in this workspace. By default, and with null, the general rate limit.',
  ),
  quotas: described(
    z.optional(z.partialRecord(z.enum(childQuotas), z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER)))),
    'Quotas of this workspace, at most those of the application. Quotas that you omit have its values.',
  ),
}

export const CreateChildWorkspace = z
  .extend(CreateWorkspace, {
    externalId: described(
      z.optional(ExternalId),
      'The ID of the customer in your own system, 1 to 200 characters. No two workspaces of the application have the same.',
    ),
    ...limits,
  })
  .register(z.globalRegistry, { id: 'CreateChildWorkspaceRequest', description: 'A workspace for one customer.' })
type CreateChildWorkspace = z.infer<typeof CreateChildWorkspace>

export const ChildLimits = z.strictObject(limits).register(z.globalRegistry, {
  id: 'ChildWorkspaceLimits',
  description: 'What changes in the limits of a child workspace. Omitted fields keep their values.',
})
type ChildLimits = z.infer<typeof ChildLimits>

/** A child workspace as shown to its application. */
export const ChildWorkspaceView = z
  .extend(
    z.pick(WorkspaceView, {
      id: true,
      name: true,
      slug: true,
      logo: true,
      brandColor: true,
      timezone: true,
      redirectUrls: true,
    }),
    {
      externalId: described(z.nullable(z.string()), 'The ID of the customer in your own system; null without one.'),
      xMonthlyCap: described(z.nullable(z.int()), 'Posts to X in a month; null for the cap of the deployment.'),
      callsPerMinute: described(
        z.nullable(z.int()),
        'Calls in a minute by tokens of the application; null for the general rate limit.',
      ),
      quotas: described(
        z.partialRecord(z.enum(childQuotas), z.int()),
        'The quotas that differ from those of the application.',
      ),
      createdAt: timestamp('When the workspace was created, in UTC.'),
    },
  )
  .register(z.globalRegistry, { id: 'ChildWorkspace', description: 'The workspace of one customer of an application.' })
type ChildWorkspaceView = z.infer<typeof ChildWorkspaceView>

const viewChild = (workspace: Workspace): ChildWorkspaceView =>
  z.parse(ChildWorkspaceView, {
    ...workspace,
    brandColor: workspace.brandColor ?? null,
    redirectUrls: workspace.redirectUrls ?? [],
    externalId: workspace.application?.externalId ?? null,
    xMonthlyCap: workspace.xMonthlyCap ?? null,
    callsPerMinute: workspace.application?.callsPerMinute ?? null,
    quotas: workspace.quotas ?? {},
  })

/** Throws 400 for a quota above that of the workspace of the application. */
const assertQuotas = (ctx: Context, home: Workspace, quotas: QuotaLimits = {}): void => {
  for (const name of childQuotas) {
    const [requested = 0, limit] = [quotas[name], limitOfQuota(ctx, name, home.quotas)]
    if (requested <= limit) continue
    throw new Refusal(
      'invalid',
      `"quotas.${name}" must be at most ${limit}, that of the workspace of the application.`,
      {
        code: 'invalid_input',
        field: `quotas.${name}`,
      },
    )
  }
}

/** Counts a workspace and a share of the cap on X against what the application has left. */
const takeOfApplication = (
  ctx: Context,
  home: Workspace,
  { workspaces: count, xCap }: { workspaces: number; xCap: number },
): Write => {
  const room: Condition[] = [
    ...(count > 0 ? [below('workspaceCount', limitOfQuota(ctx, 'childWorkspaces', home.quotas))] : []),
    ...(home.xMonthlyCap !== undefined && xCap > 0 ? [atMost('xCapAllotted', home.xMonthlyCap - xCap)] : []),
  ]
  const change = { add: { workspaceCount: count, xCapAllotted: xCap } }
  return {
    as: 'application',
    update: applications.key({ workspaceId: home.id }),
    change,
    when: allOf(present('PK'), ...room),
  }
}

/** Why the condition of `takeOfApplication` failed. */
const refusalOf = async (ctx: Context, home: Workspace, xCap: number): Promise<Error> => {
  const application = await applications.get(ctx, { workspaceId: home.id })
  if (application === undefined) return workspaceRetries.refusal()
  assertQuota(ctx, home, 'childWorkspaces', { used: application.workspaceCount })
  const { xMonthlyCap: limit = 0 } = home
  const used = application.xCapAllotted
  const text = `The plan has ${limit} posts to X a month for all child workspaces, and ${used} are allotted. Send an "xMonthlyCap" of at most ${Math.max(0, limit - used)} more, or lower that of another one.`
  return new Refusal('conflict', text, {
    code: 'quota_exceeded',
    field: 'xMonthlyCap',
    extra: { quota: 'xMonthlyCap', limit, used, requested: xCap },
  })
}

const externalIdTaken = async (ctx: Context, { id }: Application, externalId: string): Promise<Refusal> => {
  const row = await get(ctx, externalIdKey(id, externalId))
  const text = `A workspace of the application has the external ID "${externalId}". GET /api/application/workspaces?externalId= returns it.`
  return new Refusal('conflict', text, {
    code: 'external_id_taken',
    field: 'externalId',
    extra: { workspaceId: String(row?.['workspaceId'] ?? '') },
  })
}

/** Creates the workspace of a customer. */
export const createChildWorkspace = async (
  ctx: Context,
  { home, application }: OfApplication,
  { externalId, xMonthlyCap, callsPerMinute, quotas, ...request }: CreateChildWorkspace,
  by: Actor,
): Promise<ChildWorkspaceView> => {
  assertQuotas(ctx, home, quotas)
  const cap = xMonthlyCap ?? (home.xMonthlyCap === undefined ? undefined : 0)
  const of: NonNullable<Workspace['application']> = {
    id: application.id,
    workspaceId: home.id,
    ...(externalId === undefined ? {} : { externalId }),
    ...(callsPerMinute == null ? {} : { callsPerMinute }),
  }
  const created = openWorkspace(ctx, request, by, {
    audit: { workspaceId: home.id, action: 'application.workspace_created' },
    owner: { userId: application.id, application: true },
    fields: {
      subscription: paidByApplication,
      application: of,
      quotas,
      ...(cap === undefined ? {} : { xMonthlyCap: cap }),
    },
    writes: (workspaceId) => [
      takeOfApplication(ctx, home, { workspaces: 1, xCap: cap ?? 0 }),
      { check: workspaces.key(home), when: present('PK') },
      ...(externalId === undefined
        ? []
        : [
            {
              as: 'external-id',
              put: { ...externalIdKey(application.id, externalId), type: 'ChildExternalId', workspaceId },
              when: absent('PK'),
            },
          ]),
    ],
    view: viewChild,
  })
  return created.catch(async (error: unknown) => {
    if (externalId !== undefined && conditionFailed(error, 'external-id')) {
      throw await externalIdTaken(ctx, application, externalId)
    }
    throw conditionFailed(error, 'application') ? await refusalOf(ctx, home, cap ?? 0) : error
  })
}

export const childQuery = z.strictObject({
  externalId: described(z.optional(ExternalId), 'Only the workspace of this customer.'),
  ...pageQuery,
})

/** A page of the child workspaces, oldest first. */
export const listChildWorkspaces = async (
  ctx: Context,
  { id }: Application,
  { externalId, ...range }: z.infer<typeof childQuery>,
) => {
  const row = externalId === undefined ? undefined : await get(ctx, externalIdKey(id, externalId))
  const named = row === undefined ? [] : [String(row['workspaceId'])]
  const page = cutPage(externalId === undefined ? await workspaceIdsOf(ctx, id) : named, range)
  const rows = await batchGet(
    ctx,
    page.items.map((id) => workspaces.key({ id })),
  )
  const items = page.items.flatMap((id) => workspaces.from(rows, { id }) ?? [])
  return { ...page, items: items.map(viewChild) }
}

/** Changes the limits of a child workspace. Throws 404 if the application has no such workspace. */
export const changeChildLimits = (
  ctx: Context,
  { home, application, childId }: OfApplication & { childId: string },
  change: ChildLimits,
  by: Actor,
): Promise<ChildWorkspaceView> => {
  assertQuotas(ctx, home, change.quotas)
  return retryOnConflict({ ...workspaceRetries, isLost: (error) => conditionFailed(error, 'child') }, async () => {
    const child = await workspaces.get(ctx, { id: childId })
    const { application: of, xMonthlyCap, quotas } = child ?? {}
    if (child === undefined || of?.id !== application.id) {
      throw new Refusal('missing', `The application has no workspace ${childId}.`, {
        code: 'child_workspace_not_found',
      })
    }
    const { callsPerMinute, ...rest } = of
    const calls = change.callsPerMinute === undefined ? callsPerMinute : change.callsPerMinute
    const changed: Workspace = {
      ...child,
      application: { ...rest, ...(calls == null ? {} : { callsPerMinute: calls }) },
      ...(change.xMonthlyCap === undefined ? {} : { xMonthlyCap: change.xMonthlyCap }),
      ...(change.quotas === undefined ? {} : { quotas: { ...quotas, ...change.quotas } }),
    }
    const set = { application: changed.application, xMonthlyCap: changed.xMonthlyCap, quotas: changed.quotas }
    const when = allOf(equal('application', of), asStored('xMonthlyCap', xMonthlyCap), asStored('quotas', quotas))
    const xCap = (changed.xMonthlyCap ?? 0) - (xMonthlyCap ?? 0)
    const audited = ({ application, xMonthlyCap: cap, quotas: own = {} }: Workspace) => ({
      callsPerMinute: application?.callsPerMinute ?? null,
      xMonthlyCap: cap ?? null,
      quotas: Object.entries(own).map(([name, limit]) => `${name}=${limit}`),
    })
    await commit(ctx, home, {
      writes: [
        { as: 'child', update: workspaces.key(child), change: { set }, when },
        takeOfApplication(ctx, home, { workspaces: 0, xCap }),
      ],
      audit: {
        by,
        action: 'application.workspace_updated',
        target: { type: 'workspace', id: childId },
        before: audited(child),
        after: audited(changed),
      },
    }).catch(async (error: unknown) => {
      throw conditionFailed(error, 'application') ? await refusalOf(ctx, home, xCap) : error
    })
    return viewChild(changed)
  })
}
