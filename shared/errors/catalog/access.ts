import type { ErrorEntries } from '../reason.ts'

/** Authentication, workspaces, and permissions. */
export const accessErrors = {
  unauthenticated: {
    reason: 'unauthenticated',
    message: 'The token is invalid. It is unknown, expired, or revoked. Sign in again, or create a new token.',
    meaning: 'The request has no bearer token, or one that is unknown, expired, or revoked.',
    fix: 'Send `Authorization: Bearer <token>` with a valid token.',
  },
  session_required: {
    reason: 'forbidden',
    message:
      'This route requires a session. A personal access token cannot call it. Sign in with POST /api/auth/sign-in/email.',
    meaning: 'Only a session may call this route.',
    fix: 'Sign in, and send the token of the session.',
  },
  insufficient_scope: {
    reason: 'forbidden',
    message: 'The token lacks the scope "posts:publish". Create one that has it.',
    meaning: 'The personal access token does not have the scope of this route.',
    fix: 'Create a token that has the scope, or connect the assistant again and allow it.',
  },
  insufficient_role: {
    reason: 'forbidden',
    message: 'Only owners and admins of the workspace can do this.',
    meaning: 'The role of the caller does not permit this.',
    fix: 'Ask an owner or admin of the workspace.',
  },
  workspace_required: {
    reason: 'invalid',
    message: 'The header "X-Workspace-Id" is required. Send the id of the workspace.',
    meaning: 'The request does not name a workspace.',
    fix: 'Send the header `X-Workspace-Id`; GET /api/workspaces lists the ids.',
  },
  not_a_member: {
    reason: 'forbidden',
    message: 'You are not a member of this workspace.',
    meaning: 'The workspace does not exist, the caller is not a member of it, or the token belongs to another one.',
    fix: 'Use a workspace that GET /api/workspaces lists with the same token.',
  },
  workspace_mismatch: {
    reason: 'forbidden',
    message: 'The path and the header "X-Workspace-Id" name different workspaces.',
    meaning: 'The path and the header `X-Workspace-Id` name different workspaces.',
    fix: 'Send the id of the path as `X-Workspace-Id`.',
  },
  membership_suspended: {
    reason: 'forbidden',
    message: 'You are suspended in this workspace. Ask its owner.',
    meaning: 'The membership of the caller is suspended.',
    fix: 'Ask the owner of the workspace to reactivate it.',
  },
  subscription_required: {
    reason: 'unpaid',
    message: 'This workspace has no active plan. Choose one to continue.',
    meaning: 'The workspace has no active plan.',
    fix: 'Open `billingUrl` to choose a plan.',
  },
  plan_limit_reached: {
    reason: 'unpaid',
    message: 'The plan "Starter" has 2 seats, and 2 are in use. Choose a larger plan, or free one.',
    meaning: 'The plan of the workspace does not allow more. `quota` names what, `limit` and `used` say how many.',
    fix: 'Open `billingUrl` to choose a larger plan, or free one: a pending invitation also takes a seat.',
  },
  forbidden: {
    reason: 'forbidden',
    message: 'The request was blocked by the firewall.',
    meaning: 'The request was blocked before it reached the service.',
    fix: 'Check the request for content that a firewall blocks.',
  },
} as const satisfies ErrorEntries
