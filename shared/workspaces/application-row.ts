import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { applicationKey } from './workspace.ts'

/** The application of a workspace, as stored: it owns the child workspaces, one per customer of a builder. */
export const Application = z.object({
  id: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  logo: z.nullable(z.string()),
  /** Null or absent without one. */
  brandColor: z.optional(z.nullable(z.string())),
  /** How many child workspaces exist. */
  workspaceCount: z.int(),
  /** The sum of the caps on X that the child workspaces have of their own. */
  xCapAllotted: z.int(),
  createdAt: z.string(),
})
export type Application = z.infer<typeof Application>

export const applications = entity({
  type: 'Application',
  shape: Application,
  key: ({ workspaceId }: Pick<Application, 'workspaceId'>) => applicationKey(workspaceId),
})

/** An application as the API shows it. */
export const ApplicationView = z
  .object({
    id: described(z.string(), 'The ID of the application, which owns its child workspaces.'),
    workspaceId: described(z.string(), 'The workspace that the application belongs to: its plan pays, `ws_…`.'),
    name: described(z.string(), 'The name that your customers see.'),
    logo: described(z.nullable(z.string()), 'The https URL of the logo that your customers see; null without one.'),
    brandColor: described(z.nullable(z.string()), 'The color of buttons for customers, `#rrggbb`; null without one.'),
    workspaceCount: described(z.int(), 'How many child workspaces exist.'),
    workspaceLimit: described(z.int(), 'How many child workspaces can exist.'),
    xCapAllotted: described(z.int(), 'The sum of `xMonthlyCap` of the child workspaces.'),
    xCapLimit: described(
      z.nullable(z.int()),
      'How many posts to X a month can be allotted by the plan. Null without a limit.',
    ),
    createdAt: timestamp('When the application was registered, in UTC.'),
  })
  .register(z.globalRegistry, { id: 'Application', description: 'A product of yours that works for its customers.' })
