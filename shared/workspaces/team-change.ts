import { absent, allOf, equal, present } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import { type Workspace, workspaces } from './workspace.ts'

/** The write that serializes changes that count members or invitations; requires that the workspace exists. */
export const bumpTeamVersion = (workspace: Workspace): Write => {
  const { teamVersion } = workspace
  const asRead = teamVersion === undefined ? absent('teamVersion') : equal('teamVersion', teamVersion)
  return { update: workspaces.key(workspace), change: { add: { teamVersion: 1 } }, when: allOf(present('PK'), asRead) }
}
