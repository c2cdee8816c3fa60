import { allOf, asStored, present } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import { type Workspace, workspaces } from './workspace.ts'

/** The write that serializes changes that count members or invitations; requires that the workspace exists. */
export const bumpTeamVersion = (workspace: Workspace): Write => {
  const { teamVersion } = workspace
  const asRead = asStored('teamVersion', teamVersion)
  return { update: workspaces.key(workspace), change: { add: { teamVersion: 1 } }, when: allOf(present('PK'), asRead) }
}
