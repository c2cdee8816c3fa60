import { conditionFailed } from '../db/condition-failed.ts'
import { absent, allOf, equal, present } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Workspace, workspaces } from './workspace.ts'

/** More than all changes of one team that are made at once can lose against each other. */
const maxTries = 20

/** The write by which changes that count members or invitations go one after the other, on a workspace that is there. */
export const bumpTeamVersion = (workspace: Workspace): Write => {
  const { teamVersion } = workspace
  const asRead = teamVersion === undefined ? absent('teamVersion') : equal('teamVersion', teamVersion)
  return { update: workspaces.key(workspace), change: { add: { teamVersion: 1 } }, when: allOf(present('PK'), asRead) }
}

/** Decides a change anew, on rows read anew, for as long as somebody else was faster. */
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
