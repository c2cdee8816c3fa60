import type { Context } from '../../context.ts'
import { batchGet } from '../../db/table.ts'
import { readTeam } from '../../workspaces/list-members.ts'
import { audienceOf } from '../kinds.ts'
import { emptyProfile, type Profile, profiles } from '../profile.ts'
import { isWanted } from '../settings.ts'
import type { Topic } from './alert.ts'

/** The people whom a topic is for: active members of its audience who have not turned it off. */
export const recipientsOf = async (ctx: Context, { workspaceId, kind, channel }: Topic): Promise<Profile[]> => {
  const team = await readTeam(ctx, workspaceId)
  const people = team.filter(
    ({ status, role }) => status === 'active' && (audienceOf[kind] === 'members' || role !== 'member'),
  )
  const found = await batchGet(
    ctx,
    people.map(({ userId }) => profiles.key({ userId })),
  )
  return people
    .map(({ userId }) => profiles.from(found, { userId }) ?? emptyProfile(userId))
    .filter((profile) => isWanted(profile, kind, channel))
}
