import { Refusal } from '../errors.ts'
import { members } from '../workspaces/member.ts'
import { unpaid } from '../workspaces/subscription.ts'
import { workspaces } from '../workspaces/workspace.ts'
import type { Access, Principal, Scope } from './contract.ts'
import { type Exchange, header, type Step } from './exchange.ts'

const forbid = (text: string, code: string) => new Refusal('forbidden', text, { code })

const allowScope = (principal: Principal, wanted: Scope | null) => {
  if (principal.kind === 'session') return
  if (wanted === null) {
    throw forbid('This route needs a session: a personal access token cannot call it.', 'session_required')
  }
  if (!principal.scopes.includes('*') && !principal.scopes.includes(wanted)) {
    throw forbid(`The token lacks the scope "${wanted}": create one that has it.`, 'missing_scope')
  }
}

const enterWorkspace = (exchange: Exchange, principal: Principal, access: Extract<Access, { kind: 'workspace' }>) => {
  const workspaceId = header(exchange.event, 'X-Workspace-Id')
  if (workspaceId === undefined || workspaceId === '') {
    throw new Refusal('invalid', 'The header "X-Workspace-Id" is missing: send the id of the workspace.', {
      code: 'workspace_required',
      field: 'X-Workspace-Id',
    })
  }
  const stranger = forbid('You are not a member of this workspace.', 'wrong_workspace')
  if (principal.kind === 'pat' && principal.workspaceId !== workspaceId) throw stranger
  const workspace = workspaces.from(exchange.found, { id: workspaceId })
  const member = members.from(exchange.found, { workspaceId, userId: principal.userId })
  if (!workspace || !member) throw stranger
  if (member.status === 'suspended') throw forbid('You are suspended in this workspace: ask its owner.', 'suspended')
  allowScope(principal, access.scope)
  if (access.role === 'admin' && member.role === 'member') {
    throw forbid('Only owners and admins of the workspace may do this.', 'role_required')
  }
  if (access.plan && !workspace.subscription.hasAccess) {
    throw unpaid(workspace.subscription, workspace.slug, exchange.ctx.env('BASE_URL'))
  }
  exchange.workspace = workspace
  exchange.member = member
}

/** Refuses in the decided order: workspace header 400, workspace and membership 403, scope and role 403, plan 402. */
export const authorize = (): Step => ({
  before: ({ event: exchange }) => {
    const { access } = exchange.contract
    if (access.kind === 'anyone' || exchange.principal === undefined) return
    if (access.kind === 'workspace') enterWorkspace(exchange, exchange.principal, access)
    else allowScope(exchange.principal, access.scope)
  },
})
