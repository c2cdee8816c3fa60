/** What the audit trail records: each action, and what it means. */
export const auditActions = {
  'workspace.created': 'The workspace was created.',
  'workspace.updated': 'The name, the logo, the time zone, the redirect URLs, or the switch of assistants changed.',
  'workspace.voice_settings_updated': 'The AI voice settings changed.',
  'workspace.deleted': 'The workspace was deleted.',
  'billing.plan_changed': 'An operator changed the plan of the workspace.',
  'billing.checkout_started': 'A page on which a plan is bought was opened.',
  'billing.subscription_changed': 'The subscription changed: its plan, its status, or its end.',
  'token.created': 'A personal access token was created.',
  'token.revoked': 'A personal access token was revoked.',
  'connection.granted': 'A person allowed an assistant to act for them in the workspace.',
  'connection.revoked': 'The connection of an assistant ended.',
  'invitation.created': 'A person was invited, or invited again.',
  'invitation.revoked': 'A pending invitation was revoked.',
  'member.joined': 'A person accepted an invitation.',
  'member.role_changed': 'A member got another role.',
  'member.suspended': 'A member was suspended.',
  'member.reactivated': 'A suspended member was reactivated.',
  'member.removed': 'A member was removed.',
  'member.left': 'A member left the workspace.',
  'workspace.ownership_transferred': 'The workspace got another owner. The former owner is an admin.',
  'webhook_endpoint.created': 'A webhook endpoint was created.',
  'webhook_endpoint.updated': 'A webhook endpoint was changed.',
  'webhook_endpoint.deleted': 'A webhook endpoint was deleted.',
  'webhook_endpoint.secret_rotated': 'The signing secret of a webhook endpoint was rotated.',
  'webhook_endpoint.disabled': 'The service disabled a webhook endpoint that kept failing.',
  'webhook_delivery.redelivered': 'An event was sent to a webhook endpoint again.',
  'webhook_replay.created': 'The events of a time range were sent to a webhook endpoint again.',
  'social_account.connected': 'A social account was connected, or connected again.',
  'social_account.updated': 'The id of the owner of a social account changed.',
  'social_account.disconnected': 'A social account was disconnected.',
  'social_account.connection_lost': 'The platform ended the connection to a social account.',
  'export.requested': 'An export of the workspace was requested.',
  'export.link_created': 'A download link for the archive of an export was created.',
  'export.downloaded': 'The archive of an export was downloaded. The actor is the person who created the link.',
} as const satisfies Readonly<Record<string, string>>

export type AuditAction = keyof typeof auditActions

/** The kinds of objects that actions change. */
export const auditTargets = [
  'workspace',
  'token',
  'connection',
  'invitation',
  'member',
  'webhook_endpoint',
  'webhook_delivery',
  'webhook_replay',
  'social_account',
  'export',
] as const

export type AuditTarget = (typeof auditTargets)[number]
