import type { Context } from './context.ts'
import type { ErrorCode } from './errors/catalog.ts'
import type { Refusal } from './errors/refusal.ts'
import { digest } from './ids.ts'

/**
 * Security events about a refusal, a loss, or a change of permissions; their lines are warnings. Names and meanings follow
 * the OWASP Logging Vocabulary Cheat Sheet (cheatsheetseries.owasp.org, 2026-11) if it has a name for them; the others
 * follow its form.
 */
const warnings = [
  'authn_login_fail',
  'authn_password_change_fail',
  'authn_two_factor_off',
  /** A call without a token, or with one that is unknown, expired, or revoked. */
  'authn_token_fail',
  'authz_fail',
  /** A role was changed, or the ownership of the workspace was transferred. */
  'authz_change',
  'excess_rate_limit_exceeded',
  'connection_lost',
  /** A login at a platform returned in another browser than the one that started it. */
  'connection_refused',
  /** The service disabled an endpoint. */
  'webhook_disabled',
  'workspace_deleted',
  'user_deleted',
] as const

/** All events of the security log. */
export type SecurityEvent =
  | (typeof warnings)[number]
  | 'user_signup_requested'
  | 'user_created'
  | 'authn_login_success'
  | 'authn_logout'
  | 'authn_device_approved'
  | 'authn_device_denied'
  | 'authn_password_change'
  | 'authn_password_reset_requested'
  | 'authn_password_reset'
  | 'authn_two_factor_on'
  | 'authn_recovery_codes_replaced'
  | 'authn_token_created'
  | 'authn_token_revoked'
  | 'assistant_connected'
  | 'assistant_revoked'
  | 'session_revoked'
  | 'sessions_revoked'
  | 'invitation_created'
  | 'invitation_revoked'
  | 'member_joined'
  | 'member_left'
  | 'member_removed'
  | 'member_suspended'
  | 'member_reactivated'
  | 'webhook_created'
  | 'webhook_updated'
  | 'webhook_deleted'
  | 'webhook_secret_rotated'
  | 'connection_started'
  | 'connections_link_created'
  | 'connection_created'
  | 'connection_deleted'
  | 'workspace_created'
  | 'application_registered'
  | 'application_removed'
  | 'export_requested'
  | 'export_downloaded'

/** Ids and constants of ours. Never a secret, an email address, a name, or a text that a person typed. */
type SecurityFields = Readonly<Record<string, string | number | boolean | undefined>>

/** The message of every line of the security log. */
export const securityLine = 'security'

/**
 * Writes one line of the security log. Request id, route, client address, user, session or token, and workspace come
 * from the request of `ctx`; `fields` add to them and take precedence.
 */
export const logSecurity = (ctx: Context, event: SecurityEvent, fields: SecurityFields = {}): void => {
  const known = Object.fromEntries(Object.entries(fields).filter(([, fact]) => fact !== undefined))
  const level = (warnings as readonly string[]).includes(event) ? 'warn' : 'info'
  ctx.log[level](securityLine, { event, ...ctx.request, ...known })
}

/** An email address in the log: the same address has the same hash. */
export const hashedEmail = (email: string): string => digest(email).slice(0, 22)

const byCode: Partial<Record<ErrorCode, SecurityEvent>> = {
  invalid_credentials: 'authn_login_fail',
  email_not_verified: 'authn_login_fail',
  two_factor_required: 'authn_login_fail',
  invalid_two_factor_code: 'authn_login_fail',
  enrollment_code_mismatch: 'authn_login_fail',
  incorrect_password: 'authn_password_change_fail',
}

const byReason: Partial<Record<Refusal['reason'], SecurityEvent>> = {
  unauthenticated: 'authn_token_fail',
  forbidden: 'authz_fail',
  limited: 'excess_rate_limit_exceeded',
}

/** Logs a refusal with 401, 403, or 429; ignores any other. */
export const logRefusal = (ctx: Context, { reason, details: { code, audit } }: Refusal): void => {
  const event = byCode[code] ?? byReason[reason]
  if (event !== undefined) logSecurity(ctx, event, { code, ...audit })
}
