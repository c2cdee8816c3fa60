import type * as team from '../../../functions/api/team/index.ts'
import type { ExamplesOf } from './example.ts'
import { story } from './story.ts'

const { workspace: id, colleague: userId } = story

export const teamExamples: ExamplesOf<typeof team> = {
  invite: { params: { id }, request: { email: 'ben@bakery.example', role: 'member' } },
  listInvitations: { params: { id }, query: { limit: 2 } },
  revokeInvitation: { params: { id, invitationId: story.invitation } },
  acceptInvitation: { request: { token: story.invitationToken } },
  listMembers: { params: { id }, query: { limit: 2 } },
  changeRole: { params: { id, userId }, request: { role: 'admin' } },
  suspend: { params: { id, userId } },
  reactivate: { params: { id, userId } },
  remove: { params: { id, userId } },
  leave: { params: { id } },
  transferOwnership: { params: { id }, request: { userId } },
}
