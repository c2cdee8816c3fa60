import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'
import { described } from '../http/described.ts'
import { Id } from '../http/id.ts'
import { QuotaLimits } from '../quotas/quotas.ts'
import { Subscription, SubscriptionView, viewSubscription } from './subscription.ts'

export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

/** A role in a row. One of a newer release counts as the least, so that its person keeps what everyone has. */
const StoredRole = z.pipe(
  z.string(),
  z.transform((role: string): Role => roles.find((known) => known === role) ?? 'member'),
)

/** A membership: a person in a workspace. */
export const Member = z.object({
  workspaceId: z.string(),
  userId: z.string(),
  role: StoredRole,
  status: z.enum(['active', 'suspended']),
  /** Increases with every token and connection, so that code that ends the membership has read all of them. */
  tokensVersion: z.optional(z.int()),
  /** True for the application that owns a child workspace: no person, so it is in no list of members. */
  application: z.optional(z.boolean()),
  createdAt: z.string(),
})
export type Member = z.infer<typeof Member>

export const members = entity({
  type: 'Member',
  shape: Member,
  key: ({ workspaceId, userId }: Pick<Member, 'workspaceId' | 'userId'>) => ({
    PK: `WS#${workspaceId}`,
    SK: `MEMBER#${userId}`,
  }),
})

/** The same membership under the person's key, so that a list of workspaces needs no index. */
export const membershipKey = (userId: string, workspaceId: string) => ({
  PK: `USER#${userId}`,
  SK: `WS#${workspaceId}`,
})

/** The path of a route about one member of a workspace. */
export const MemberPath = z.object({
  id: described(Id, 'The ID of the workspace, the same as in `X-Workspace-Id`.'),
  userId: described(Id, 'The ID of the person.'),
})

/** A webhook endpoint in the workspace's row, so that one read serves the fan-out (at most ten). */
const EndpointSummary = z.object({
  id: z.string(),
  events: z.array(z.string()),
  enabled: z.boolean(),
  /** True if it also receives the events of the child workspaces. */
  includeChildWorkspaces: z.optional(z.boolean()),
})

/** What makes a workspace the child of an application: one per customer (shared/applications/). */
const ChildOf = z.object({
  /** The ID of the application, which owns the child. */
  id: z.string(),
  /** The workspace of the application: its plan pays, and its feed has the events of the child. */
  workspaceId: z.string(),
  /** The builder's ID of the customer. */
  externalId: z.optional(z.string()),
  /** Calls in a minute by tokens of the application, if not the general limit. */
  callsPerMinute: z.optional(z.int()),
})

/** The row that maps the application's ID of a customer to their child workspace, and keeps it unique. */
export const externalIdKey = (applicationId: string, externalId: string) => ({
  PK: `APP#${applicationId}`,
  SK: `EXTERNAL#${externalId}`,
})

/** The row of the application of a workspace (shared/applications/application.ts). */
export const applicationKey = (workspaceId: string) => ({ PK: `WS#${workspaceId}`, SK: 'APPLICATION' })

/** A workspace as stored. */
export const Workspace = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  logo: z.nullable(z.string()),
  /** Null or absent without one. */
  brandColor: z.optional(z.nullable(z.string())),
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
  /** The customer at Stripe that pays for the workspace (shared/plans/stripe-customer.ts). */
  billingCustomerId: z.optional(z.string()),
  /** The URLs to which people may return after they connected an account. */
  redirectUrls: z.optional(z.array(z.string())),
  /** False if no assistant may act for members of the workspace. */
  assistantsEnabled: z.optional(z.boolean()),
  /** Absent from a workspace of people. */
  application: z.optional(ChildOf),
  createdAt: z.string(),
})
type StoredWorkspace = z.infer<typeof Workspace>
/** A workspace; a child whose plan was read (child-plan.ts) has the workspace that pays for it, which is not stored with it. */
export type Workspace = StoredWorkspace & { payer?: StoredWorkspace | undefined }

export const workspaces = entity({
  type: 'Workspace',
  shape: Workspace,
  key: ({ id }: Pick<Workspace, 'id'>) => ({ PK: `WS#${id}`, SK: 'META' }),
})

/** A workspace as shown to its members. */
export const WorkspaceView = z
  .object({
    id: described(z.string(), 'The ID of the workspace, `ws_…`. Send it as `X-Workspace-Id`.'),
    name: described(z.string(), 'The name of the workspace.'),
    slug: described(z.string(), 'The name in addresses. It never changes.'),
    logo: described(z.nullable(z.string()), 'The https URL of the logo; null without one.'),
    brandColor: described(z.nullable(z.string()), 'The color of buttons for customers, `#rrggbb`; null without one.'),
    timezone: described(z.string(), 'The time zone of the workspace, by its IANA name.'),
    role: described(z.enum(roles), 'Your role in the workspace.'),
    subscription: SubscriptionView,
    redirectUrls: described(
      z.array(z.string()),
      'The URLs of your apps that people may return to after they connect an account.',
    ),
    assistantsEnabled: described(z.boolean(), 'Whether assistants may act for members of the workspace.'),
  })
  .register(z.globalRegistry, { id: 'Workspace', description: 'A workspace, as you see it.' })

export const viewWorkspace = (ctx: Context, workspace: Workspace, role: Role): z.infer<typeof WorkspaceView> => ({
  ...workspace,
  brandColor: workspace.brandColor ?? null,
  redirectUrls: workspace.redirectUrls ?? [],
  assistantsEnabled: workspace.assistantsEnabled ?? true,
  role,
  subscription: viewSubscription(workspace.subscription, workspace.slug, ctx.env('BASE_URL'), ctx.clock.now()),
})
