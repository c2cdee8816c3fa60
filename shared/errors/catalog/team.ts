import type { ErrorEntries } from '../reason.ts'

/** Workspaces, their members, and invitations. */
export const teamErrors = {
  slug_taken: {
    reason: 'conflict',
    message: 'The slug "bakery" is taken. Choose another one.',
    meaning: 'Another workspace has this slug.',
    fix: 'Choose another slug, or leave it out to get one made from the name.',
  },
  confirmation_required: {
    reason: 'invalid',
    message: 'A deletion cannot be undone. To confirm it, send the slug of the workspace as ?confirm=bakery.',
    meaning: 'The deletion of a workspace is not confirmed with its slug.',
    fix: 'Send `confirm=<slug>` in the query.',
  },
  application_not_found: {
    reason: 'missing',
    message: 'This workspace has no application. Register one with POST /api/application.',
    meaning: 'The workspace of the request has no application.',
    fix: 'Register one with POST /api/application, or send the ID of its workspace as `X-Workspace-Id`.',
  },
  application_registered: {
    reason: 'conflict',
    message: 'This workspace has an application. Change it with PATCH /api/application.',
    meaning: 'A workspace has one application at most.',
    fix: 'Change it with PATCH /api/application, or register the other one in another workspace.',
  },
  child_workspace: {
    reason: 'conflict',
    message: 'A child workspace cannot have an application. Register it in a workspace of a person.',
    meaning: 'The workspace belongs to an application, and child workspaces do not nest.',
    fix: 'Register the application in a workspace of a person, and create its child workspaces there.',
  },
  application_in_use: {
    reason: 'conflict',
    message: 'The application has 12 child workspaces and 1 tokens. Delete the workspaces and revoke the tokens first.',
    meaning: 'The application still has child workspaces or live tokens.',
    fix: 'Delete each child workspace with DELETE /api/workspaces/{id}, and revoke each token.',
  },
  child_workspace_not_found: {
    reason: 'missing',
    message: 'The application has no workspace ws_01KATC1ZXAR41NSDVQG0Y8M9B5.',
    meaning: 'The application has no child workspace with this ID.',
    fix: 'Use an `id` from GET /api/application/workspaces.',
  },
  external_id_taken: {
    reason: 'conflict',
    message:
      'A workspace of the application has the external ID "customer-17". GET /api/application/workspaces?externalId= returns it.',
    meaning: 'Another child workspace of the application has this external ID. The error has its `workspaceId`.',
    fix: 'Use the workspace that the error names, or send another `externalId`.',
  },
  member_not_found: {
    reason: 'missing',
    message: 'This workspace has no member usr_3ujT0dY1wqz5N8rXbC2L.',
    meaning: 'No member of the workspace has this id.',
    fix: 'Use a `userId` from GET /api/workspaces/{id}/members.',
  },
  cannot_act_on_self: {
    reason: 'forbidden',
    message: 'You cannot do this to yourself. Ask another admin, or leave the workspace.',
    meaning: 'The caller names themselves as the other member.',
    fix: 'Ask another admin, or leave the workspace with POST /api/workspaces/{id}/leave.',
  },
  owner_protected: {
    reason: 'forbidden',
    message: 'You cannot do this to the owner. The owner must transfer the ownership first.',
    meaning: 'The owner of a workspace cannot be changed, suspended, or removed.',
    fix: 'Ask the owner to transfer the ownership first.',
  },
  owner_cannot_leave: {
    reason: 'conflict',
    message: 'The owner cannot leave. Transfer the ownership first, or delete the workspace.',
    meaning: 'The owner of a workspace tries to leave it.',
    fix: 'Transfer the ownership first, or delete the workspace.',
  },
  member_suspended: {
    reason: 'conflict',
    message: 'A suspended member cannot become the owner. Reactivate them first.',
    meaning: 'The new owner is suspended.',
    fix: 'Reactivate the member first.',
  },
  member_limit: {
    reason: 'invalid',
    message: 'A workspace has at most 200 members. One must leave first.',
    meaning: 'The workspace has as many members as it can have.',
    fix: 'Remove a member first.',
  },
  already_member: {
    reason: 'conflict',
    message: 'This person is already a member of the workspace.',
    meaning: 'The invited address belongs to a member of the workspace.',
    fix: 'Change the role of the member instead.',
  },
  invitation_limit: {
    reason: 'invalid',
    message: 'A workspace has at most 100 pending invitations. Revoke one first.',
    meaning: 'The workspace has as many pending invitations as it can have.',
    fix: 'Revoke an invitation first.',
  },
  invitation_not_found: {
    reason: 'missing',
    message: 'This invitation is unknown, was revoked, or is older than 7 days. Ask for a new one.',
    meaning: 'No pending invitation has this id or token.',
    fix: 'Use an id from GET /api/workspaces/{id}/invitations; with a token, ask for a new invitation.',
  },
  connection_not_found: {
    reason: 'missing',
    message: 'This workspace has no connection Zt7Pq1MnB4sCw8Kd2RxT that you can revoke.',
    meaning: 'The workspace has no assistant connection with this ID, or it belongs to another member.',
    fix: 'Use an id from GET /api/workspaces/{id}/connections.',
  },
  invitation_already_used: {
    reason: 'invalid',
    message: 'This invitation was already used. Ask for a new one.',
    meaning: 'The invitation was already accepted.',
    fix: 'Ask for a new invitation.',
  },
  invitation_void: {
    reason: 'invalid',
    message: 'The person who sent this invitation can no longer invite to the workspace. Ask for a new one.',
    meaning: 'The inviter has left the workspace or lost the right to invite.',
    fix: 'Ask another admin for a new invitation.',
  },
  invitation_email_mismatch: {
    reason: 'forbidden',
    message: 'This invitation was sent to another address (a…@e….com). Sign in with that address.',
    meaning: 'The address of the session is not the invited one.',
    fix: 'Sign in with the address that the invitation was sent to.',
  },
  email_not_sent: {
    reason: 'unavailable',
    message: 'The invitation was created, but the email could not be sent. Invite the address again.',
    meaning: 'The invitation exists, but its email could not be sent.',
    fix: 'Invite the same address again.',
  },
} as const satisfies ErrorEntries
