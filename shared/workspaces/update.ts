import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { present } from '../db/expression.ts'
import { update } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { Name } from '../identity/name.ts'
import { Logo } from './logo.ts'
import { TimeZone } from './time-zone.ts'
import { type Workspace, workspaces } from './workspace.ts'

/** The fields of a workspace that can change. Decided: its slug never does, because others link to it. */
export const WorkspaceChange = z
  .strictObject({ name: z.optional(Name), logo: z.optional(z.nullable(Logo)), timezone: z.optional(TimeZone) })
  .register(z.globalRegistry, { id: 'WorkspaceChange' })
export type WorkspaceChange = z.infer<typeof WorkspaceChange>

/** The refusal if the workspace was deleted during the call. */
export const noLongerMember = (): Refusal =>
  new Refusal('forbidden', 'You are not a member of this workspace.', { code: 'not_a_member' })

/** Changes only the fields that were sent. */
export const updateWorkspace = async (
  ctx: Context,
  workspace: Workspace,
  change: WorkspaceChange,
): Promise<Workspace> => {
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  if (Object.keys(set).length === 0) return workspace
  const changed = update(ctx, workspaces.key(workspace), { set }, present('PK'))
  return workspaces.parse(await currentOrThrow(changed, noLongerMember))
}
