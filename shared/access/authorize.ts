import type { CodeOf } from '../errors/catalog.ts'
import { Refusal } from '../errors/refusal.ts'
import { header } from '../http/request-context.ts'
import type { Scope } from '../identity/scope.ts'
import { withPlan } from '../workspaces/child-plan.ts'
import { hasAccess, unpaid } from '../workspaces/subscription.ts'
import { members, type Role, workspaces } from '../workspaces/workspace.ts'
import type { Access, Principal } from './access.ts'
import type { AccessContext, AccessStep } from './access-context.ts'

type WorkspaceAccess = Extract<Access, { kind: 'workspace' }>

const forbid = (text: string, code: CodeOf<'forbidden'>) => new Refusal('forbidden', text, { code })

const allowScope = (principal: Principal, required: Scope | null, alternative: Scope | null = required) => {
  if (principal.kind === 'session' || principal.kind === 'application') return
  if (required === null) {
    throw forbid(
      'This route requires a session. A personal access token cannot call it. Sign in with POST /api/auth/sign-in/email.',
      'session_required',
    )
  }
  if (principal.scopes.some((scope) => scope === '*' || scope === required || scope === alternative)) return
  if (principal.kind === 'assistant') {
    const fix = 'Ask the person to connect the assistant again and to allow it.'
    throw forbid(`This connection lacks the scope "${required}". ${fix}`, 'insufficient_scope')
  }
  throw forbid(`The token lacks the scope "${required}". Create one that has it.`, 'insufficient_scope')
}

/** The roles that satisfy a required role, and the text that describes them. */
const entitled: Readonly<Record<Role, { roles: readonly Role[]; who: string }>> = {
  owner: { roles: ['owner'], who: 'the owner' },
  admin: { roles: ['owner', 'admin'], who: 'owners and admins' },
  member: { roles: ['owner', 'admin', 'member'], who: 'members' },
}

const allowRole = (required: Role, own: Role) => {
  const { roles, who } = entitled[required]
  if (roles.includes(own)) return
  throw forbid(`Only ${who} of the workspace can do this.`, 'insufficient_role')
}

/** Decided: routes about the workspace itself name it in their path as well; path and header must name the same one. */
const assertSamePath = ({ contract, params }: AccessContext, workspaceId: string) => {
  if (!contract.path.startsWith('/api/workspaces/{id}') || params['id'] === workspaceId) return
  throw forbid('The path and the header "X-Workspace-Id" name different workspaces.', 'workspace_mismatch')
}

/** The code of a route that no token of an application can call: as for a personal access token without its scope. */
const notForApplications = (scope: Scope | null) => (scope === null ? 'session_required' : 'insufficient_scope')

/** In its own workspace, an application can call only the operations that are meant for it. */
const allowApplication = (principal: Principal, workspaceId: string, { application, scope }: WorkspaceAccess) => {
  if (principal.kind !== 'application' || principal.workspaceId !== workspaceId || application) return
  throw forbid(
    'An application cannot call this route in its own workspace. Send the ID of a child workspace as "X-Workspace-Id".',
    notForApplications(scope),
  )
}

const enterWorkspace = async (request: AccessContext, principal: Principal, access: WorkspaceAccess) => {
  const workspaceId = header(request.event, 'X-Workspace-Id')
  if (workspaceId === undefined || workspaceId === '') {
    const id =
      principal.kind === 'pat' ? `${principal.workspaceId}, the workspace of this token` : 'the id of the workspace'
    throw new Refusal('invalid', `The header "X-Workspace-Id" is required. Send ${id}.`, {
      code: 'workspace_required',
      field: 'X-Workspace-Id',
    })
  }
  const stranger = () => forbid('You are not a member of this workspace.', 'not_a_member')
  if (principal.kind === 'pat' && principal.workspaceId !== workspaceId) {
    throw forbid(
      `This token is for the workspace ${principal.workspaceId}. Send its id as "X-Workspace-Id".`,
      'not_a_member',
    )
  }
  const stored = request.workspace ?? workspaces.from(request.prefetched, { id: workspaceId })
  const member = request.member ?? members.from(request.prefetched, { workspaceId, userId: principal.userId })
  if (!stored || !member) throw stranger()
  if (member.status === 'suspended')
    throw forbid('You are suspended in this workspace. Ask its owner.', 'membership_suspended')
  allowApplication(principal, workspaceId, access)
  allowScope(principal, access.scope, access.orScope)
  allowRole(access.role, member.role)
  const workspace = stored.application === undefined ? stored : await withPlan(request.ctx, stored)
  if (access.plan && !hasAccess(workspace.subscription, request.ctx.clock.now())) throw unpaid(request.ctx, workspace)
  assertSamePath(request, workspaceId)
  request.workspace = workspace
  request.member = member
}

/** Rejects in this order: workspace header 400, workspace and membership 403, scope and role 403, plan 402. */
export const authorize = (): AccessStep => ({
  before: async ({ event: request }) => {
    const { access } = request.contract
    const { principal } = request
    if (access.kind === 'anyone' || principal === undefined) return
    if (access.kind === 'workspace') return enterWorkspace(request, principal, access)
    if (principal.kind !== 'application') return allowScope(principal, access.scope)
    const fix = 'An application acts in workspaces: "GET /api/application/workspaces" lists them.'
    throw forbid(`This route is about a person. ${fix}`, notForApplications(access.scope))
  },
})
