import { conditionFailed } from '../db/condition-failed.ts'
import { absent, allOf, equal, present } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Workspace, workspaces } from './workspace.ts'

/** More attempts than concurrent changes of one team can lose in a row. */
const maxTries = 20

/** The write that serializes changes that count members or invitations; requires that the workspace exists. */
export const bumpTeamVersion = (workspace: Workspace): Write => {
  const { teamVersion } = workspace
  const asRead = teamVersion === undefined ? absent('teamVersion') : equal('teamVersion', teamVersion)
  return { update: workspaces.key(workspace), change: { add: { teamVersion: 1 } }, when: allOf(present('PK'), asRead) }
}

/** Repeats a change on fresh rows while another writer wins. */
export const retryTeamChange = async <T>(change: () => Promise<T>): Promise<T> => {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    try {
      return await change()
    } catch (error) {
      if (!conditionFailed(error)) throw error
    }
  }
  throw new Refusal('conflict', 'The team changed during the request. Try again.', { code: 'concurrent_update' })
}
