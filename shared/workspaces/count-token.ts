import { allOf, asStored, type Condition, equal } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import { asRead } from './team-rights.ts'
import { type Member, members } from './workspace.ts'

/** The write that comes with each new token or connection of a member, who must be active. */
export const countToken = (member: Pick<Member, 'workspaceId' | 'userId'>): Write => ({
  as: 'membership',
  update: members.key(member),
  change: { add: { tokensVersion: 1 } },
  when: equal('status', 'active'),
})

/** Requires that a membership has not changed since it was read, and that no token or connection was added since. */
export const asReadWithTokens = (member: Member): Condition =>
  allOf(asRead(member), asStored('tokensVersion', member.tokensVersion))
