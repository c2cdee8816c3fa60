import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'
import { QuotaLimits } from '../quotas/quotas.ts'
import { type Role, roles } from './member.ts'
import { Subscription, SubscriptionView, viewSubscription } from './subscription.ts'

/** A webhook endpoint in the workspace's row, so that one read serves the fan-out (at most ten). */
const EndpointSummary = z.object({ id: z.string(), events: z.array(z.string()), enabled: z.boolean() })

/** A workspace as stored. */
export const Workspace = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  logo: z.nullable(z.string()),
  timezone: z.string(),
  subscription: Subscription,
  /** The workspace's data key, encrypted by KMS, in base64. */
  dataKey: z.string(),
  endpoints: z.array(EndpointSummary),
  /** The monthly cap of posts to X, if the plan overrides the default. */
  xMonthlyCap: z.optional(z.int()),
  /** Quotas that the plan overrides. */
  quotas: z.optional(QuotaLimits),
  /** Increases with every change that counts members or invitations, so that no two of them read the same count. */
  teamVersion: z.optional(z.int()),
  createdAt: z.string(),
})
export type Workspace = z.infer<typeof Workspace>

export const workspaces = entity({
  type: 'Workspace',
  shape: Workspace,
  key: ({ id }: Pick<Workspace, 'id'>) => ({ PK: `WS#${id}`, SK: 'META' }),
})

/** A workspace as its members see it. */
export const WorkspaceView = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    logo: z.nullable(z.string()),
    timezone: z.string(),
    role: z.enum(roles),
    subscription: SubscriptionView,
  })
  .register(z.globalRegistry, { id: 'Workspace' })

export const viewWorkspace = (ctx: Context, workspace: Workspace, role: Role): z.infer<typeof WorkspaceView> => ({
  ...workspace,
  role,
  subscription: viewSubscription(workspace.subscription, workspace.slug, ctx.env('BASE_URL')),
})
