import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { pages, type Route, routes } from '../../functions/routes.ts'
import { wrongCodes } from '../../shared/identity/answer-device-login.ts'
import { extensionScopes } from '../../shared/identity/scope.ts'
import { type SecurityEvent, securityLine } from '../../shared/security-log.ts'
import { connected, tokenCall } from '../oauth/assistant.ts'
import { browserOf, hiddenIn } from '../pages/test-browser.ts'
import { type Kit, start } from '../support/start.ts'
import { badTokens } from '../support/world/actors.ts'
import { callRoute } from '../support/world/ask.ts'
import { happyCall } from '../support/world/happy-calls.ts'
import { happyVisit } from '../support/world/page-visits.ts'
import {
  hookBody,
  installBot,
  makeMember,
  makePerson,
  makePost,
  makeSession,
  makeSignedIn,
  minuteMs,
  password,
} from '../support/world/preparations.ts'

type Line = Readonly<Record<string, unknown>> & { event: SecurityEvent }

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

/** The lines of the security log that were written while something ran. */
const during = async (run: () => Promise<unknown>): Promise<Line[]> => {
  const before = kit.logged.length
  await run()
  return kit.logged
    .slice(before)
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message === securityLine)
}

/** What each operation leaves in the log when all is well; the others leave nothing. */
const expected: Readonly<Record<string, SecurityEvent>> = {
  'application.createToken': 'authn_token_created',
  'application.createWorkspace': 'workspace_created',
  'application.register': 'application_registered',
  'application.remove': 'application_removed',
  'application.revokeToken': 'authn_token_revoked',
  'auth.changePassword': 'authn_password_change',
  'auth.confirmTwoFactor': 'authn_two_factor_on',
  'auth.deleteAccount': 'user_deleted',
  'auth.disableTwoFactor': 'authn_two_factor_off',
  'auth.replaceRecoveryCodes': 'authn_recovery_codes_replaced',
  'auth.requestPasswordReset': 'authn_password_reset_requested',
  'auth.resetPassword': 'authn_password_reset',
  'auth.revokeOtherSessions': 'sessions_revoked',
  'auth.revokeSession': 'session_revoked',
  'auth.signIn': 'authn_login_success',
  'auth.signOut': 'authn_logout',
  'auth.signUp': 'user_signup_requested',
  'auth.verifyEmail': 'user_created',
  'cli.createToken': 'authn_token_created',
  'cli.pollDeviceLogin': 'authn_login_success',
  'cli.revokeToken': 'authn_token_revoked',
  'pages.acceptInvitation': 'member_joined',
  'pages.answerConsent': 'assistant_connected',
  'pages.answerDevice': 'authn_device_approved',
  'pages.changeAssistants': 'assistant_revoked',
  'pages.connectAccounts': 'connection_created',
  'pages.connectFromWorkspace': 'connection_created',
  'pages.createToken': 'authn_token_created',
  'pages.createWorkspace': 'workspace_created',
  'pages.requestPasswordReset': 'authn_password_reset_requested',
  'pages.resetPassword': 'authn_password_reset',
  'pages.signIn': 'authn_login_success',
  'pages.signOut': 'authn_logout',
  'pages.signUp': 'user_signup_requested',
  'pages.verifyEmail': 'user_created',
  'socialAccounts.callback': 'connection_created',
  'socialAccounts.connect': 'connection_started',
  'socialAccounts.connectBluesky': 'connection_created',
  'socialAccounts.connectWordpress': 'connection_created',
  'socialAccounts.createBlueskyLink': 'connection_started',
  'socialAccounts.connectNostr': 'connection_created',
  'socialAccounts.createConnectionsLink': 'connections_link_created',
  'socialAccounts.createLink': 'connection_started',
  'socialAccounts.createNostrLink': 'connection_started',
  'socialAccounts.createWordpressLink': 'connection_started',
  'socialAccounts.disconnect': 'connection_deleted',
  'socialAccounts.serverCallback': 'connection_created',
  'team.acceptInvitation': 'member_joined',
  'team.changeRole': 'authz_change',
  'team.invite': 'invitation_created',
  'team.leave': 'member_left',
  'team.reactivate': 'member_reactivated',
  'team.remove': 'member_removed',
  'team.revokeInvitation': 'invitation_revoked',
  'team.suspend': 'member_suspended',
  'team.transferOwnership': 'authz_change',
  'webhooks.create': 'webhook_created',
  'webhooks.delete': 'webhook_deleted',
  'webhooks.rotateSecret': 'webhook_secret_rotated',
  'webhooks.update': 'webhook_updated',
  'workspaces.create': 'workspace_created',
  'workspaces.delete': 'workspace_deleted',
  'workspaces.downloadExport': 'export_downloaded',
  'workspaces.export': 'export_requested',
  'workspaces.revokeConnection': 'assistant_revoked',
}

/** Changes by a session that are no matter of security. */
const harmless = [
  // Its cost is in the usage of the month.
  'ai.createJob',
  'ai.generate',
  'ai.rewrite',
  'ai.transcribe',
  // The audit trail has what changed.
  'application.update',
  'application.updateWorkspace',
  // It changes nothing until it is confirmed.
  'auth.enrollTwoFactor',
  'auth.resendVerification',
  // The audit trail has what changed.
  'billing.cancel',
  'billing.change',
  'billing.checkout',
  'billing.portal',
  'billing.resume',
  // They decide only how a person is notified.
  'notifications.deleteDevice',
  'notifications.registerDevice',
  'notifications.sendTest',
  'notifications.updateSettings',
  'pages.changeBilling',
  'pages.changeNotifications',
  'pages.enterUserCode',
  'socialAccounts.revokeLink',
  'socialAccounts.update',
  'webhooks.redeliver',
  'webhooks.replay',
  'webhooks.sendTest',
  // Its use is logged.
  'workspaces.createExportLink',
  'workspaces.update',
]

const seen = new Map<SecurityEvent, Line>()
const note = (lines: readonly Line[]) => {
  for (const line of lines) seen.set(line.event, line)
  return lines.map(({ event }) => event)
}

const eventsOf = async (route: Route): Promise<Line[]> => {
  const call = await happyCall(route, kit)
  const headers = { ...call.headers, 'X-Request-Id': `walk-${route.name}` }
  const lines = await during(() => callRoute(kit.url, route, { ...call, headers }))
  for (const line of lines) {
    expect(line, route.operation).toMatchObject({
      requestId: expect.stringMatching(/^[\w-]{15}=$/),
      clientRequestId: `walk-${route.name}`,
      route: `${route.endpoint.contract.method} ${route.endpoint.contract.path}`,
      ip: expect.stringMatching(/127\.0\.0\.1$/),
      ...(route.endpoint.contract.access.kind === 'anyone' ? {} : { userId: expect.stringMatching(/^\w{12}$/) }),
      ...(route.endpoint.contract.access.kind === 'workspace' ? { workspaceId: call.workspaceId } : {}),
    })
  }
  return lines
}

test('logs every sign-in and change of rights, tokens, webhooks, and connections with who, where, and which request', async () => {
  const recorded: Record<string, readonly SecurityEvent[]> = {}
  for (const route of routes) recorded[route.operation] = note(await eventsOf(route))
  for (const { operation } of pages) {
    const visit = await happyVisit(operation, kit)
    recorded[operation] = note(await during(visit))
  }
  const operations = [...routes, ...pages].map(({ operation }) => operation)
  expect(recorded).toEqual(
    Object.fromEntries(operations.map((operation) => [operation, expected[operation] ? [expected[operation]] : []])),
  )
}, 120_000)

// What tokens can do by a scope beyond the specification, only sessions could do before.
const extensions: readonly string[] = extensionScopes

test('everything that only a session can change is logged, or listed as irrelevant to security', () => {
  const bySession = [...routes, ...pages].filter(({ operation, endpoint: { contract } }) => {
    const open =
      contract.access.kind === 'anyone'
        ? operation.startsWith('pages.') || operation.startsWith('auth.')
        : contract.access.scope === null || extensions.includes(contract.access.scope)
    return open && contract.method !== 'GET'
  })
  const unlogged = bySession.map(({ operation }) => operation).filter((operation) => !(operation in expected))
  expect(unlogged.sort()).toEqual(harmless)
})

const signIn = (body: object, headers = {}) =>
  fetch(`${kit.url}/api/auth/sign-in/email`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  })

const listPosts = (token?: string, workspaceId = kit.workspaceId) =>
  fetch(`${kit.url}/api/posts`, {
    headers: { 'X-Workspace-Id': workspaceId, ...(token ? { Authorization: `Bearer ${token}` } : {}) },
  })

test('password guesses are logged one line each, with the hash of the account and without its email address', async () => {
  const person = await makePerson(kit)
  const unknown = { email: 'nobody@mail.test', password }
  const [wrong, other, page, right] = [
    await during(() => signIn({ ...person, password: 'not the password' })),
    await during(() => signIn(unknown)),
    await during(() => browserOf(kit).send('/login', { ...person, password: 'not the password' })),
    await during(() => signIn(person)),
  ]
  note(wrong)
  expect(wrong).toEqual([
    expect.objectContaining({
      level: 'warn',
      event: 'authn_login_fail',
      code: 'invalid_credentials',
      account: expect.any(String),
    }),
  ])
  expect(page).toEqual([expect.objectContaining({ event: 'authn_login_fail', account: wrong[0]?.['account'] })])
  expect(other).toEqual([expect.objectContaining({ event: 'authn_login_fail' })])
  expect(other[0]?.['account']).not.toBe(wrong[0]?.['account'])
  expect(right).toEqual([
    expect.objectContaining({
      level: 'info',
      event: 'authn_login_success',
      account: wrong[0]?.['account'],
      method: 'password',
    }),
  ])
  const text = JSON.stringify([wrong, other, page, right])
  for (const secret of ['@', person.email.split('@')[0] ?? '', password, 'not the password'])
    expect(text).not.toContain(secret)
})

test('requests without a token, with a revoked one, without a right, or over the limit are logged with the reason', async () => {
  const bad = await badTokens(kit)
  expect(note(await during(() => listPosts()))).toEqual(['authn_token_fail'])
  const [revoked] = await during(() => listPosts(bad.revokedPat))
  expect(revoked).toMatchObject({
    event: 'authn_token_fail',
    userId: kit.user.id,
    tokenId: expect.stringMatching(/^\w{4}$/),
  })
  expect(JSON.stringify(revoked)).not.toContain(bad.revokedPat)
  const [strange] = await during(() => listPosts(kit.pat, 'ws_none'))
  expect(strange).toMatchObject({
    event: 'authz_fail',
    code: 'not_a_member',
    userId: kit.user.id,
    workspaceId: 'ws_none',
    tokenId: expect.stringMatching(/^\w{4}$/),
  })
  const member = await makeMember(kit)
  const asMember = { Authorization: `Bearer ${member.session}`, 'X-Workspace-Id': kit.workspaceId }
  const [role] = await during(() => fetch(`${kit.url}/api/webhooks`, { headers: asMember }))
  expect(role).toMatchObject({ event: 'authz_fail', code: 'insufficient_role', userId: member.userId })
  const foreign = () => browserOf(kit, kit.sessionToken).send('/sign-out', {}, { 'Sec-Fetch-Site': 'cross-site' })
  expect(await during(foreign)).toEqual([expect.objectContaining({ event: 'authz_fail', code: 'cross_site_form' })])
  note(strange === undefined ? [] : [strange])
})

test('a wrong current password, a denied device, and an unverified address are logged', async () => {
  const { token } = await makeSignedIn(kit)
  const body = JSON.stringify({ currentPassword: 'not the password', newPassword: 'another good password' })
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const change = () => fetch(`${kit.url}/api/auth/change-password`, { method: 'POST', body, headers })
  expect(note(await during(change))).toEqual(['authn_password_change_fail'])
  const email = 'unverified@mail.test'
  await browserOf(kit).send('/sign-up', { email, password, name: 'Una' })
  const [line] = await during(() => signIn({ email, password }))
  expect(line).toMatchObject({ event: 'authn_login_fail', code: 'email_not_verified' })
})

test('a denied device, a lost connection, and a disabled endpoint are logged', async () => {
  const browser = browserOf(kit, await makeSession(kit))
  const key = hiddenIn(await browser.open('/device'), 'device')
  const fields = { ...key, user_code: (await client({ baseUrl: kit.url }).cli.startDeviceLogin()).userCode }
  await browser.send('/device', fields)
  const denied = await during(() => browser.send('/device-answer', { ...fields, answer: 'denied' }))
  expect(note(denied)).toEqual(['authn_device_denied'])
  const guess = async () => {
    for (let n = 0; n <= wrongCodes; n += 1) await browser.send('/device', { ...key, user_code: 'BCDF-GHJK' })
  }
  const [slowed] = await during(guess)
  expect(slowed).toMatchObject({ event: 'excess_rate_limit_exceeded', code: 'rate_limited', route: 'POST /device' })

  const { id: endpointId } = await kit.sessionApi.webhooks.create({
    body: hookBody(kit, 'leaving', ['post.published']),
  })
  kit.inbox.behaviors.add({ name: 'leaving', times: 1, status: 410 })
  await makePost(kit, 'Published', minuteMs)
  const disabled = await during(() => kit.service.pass(3 * minuteMs))
  expect(disabled).toEqual([
    expect.objectContaining({ event: 'webhook_disabled', workspaceId: kit.workspaceId, endpointId }),
  ])

  kit.platforms.faults.add({ platform: 'bluesky', operation: '*', times: 4, fault: 'token_revoked' })
  await makePost(kit, 'By a lost account', minuteMs)
  const lost = await during(() => kit.service.pass(3 * minuteMs))
  kit.platforms.faults.clear()
  expect(lost).toEqual([
    expect.objectContaining({
      event: 'connection_lost',
      workspaceId: kit.workspaceId,
      socialAccountId: kit.accounts.bluesky,
      platform: 'bluesky',
    }),
  ])
  note([...disabled, ...lost, ...(slowed ? [slowed] : [])])
})

test('an OAuth callback in another browser is logged', async () => {
  const { query } = await installBot(kit)
  const callback = routes.find(({ operation }) => operation === 'socialAccounts.callback')
  if (callback === undefined) throw new Error('there is no callback')
  const refused = await during(() => callRoute(kit.url, callback, { params: { platform: 'discord' }, query }))
  expect(note(refused)).toEqual(['connection_refused'])
  expect(refused).toMatchObject([{ level: 'warn', platform: 'discord' }])
})

test('a token that an assistant gives back is logged', async () => {
  const { client: assistant, refreshToken } = await connected(kit)
  const fields = { client_id: assistant.client_id, token: refreshToken }
  const given = await during(() => tokenCall(kit, fields, '/api/oauth/revoke'))
  expect(note(given)).toEqual(['assistant_revoked'])
})

/** All events; the compiler finds one that is missing. */
const vocabulary: Readonly<Record<SecurityEvent, true>> = {
  application_registered: true,
  application_removed: true,
  assistant_connected: true,
  assistant_revoked: true,
  authn_device_approved: true,
  authn_device_denied: true,
  authn_login_fail: true,
  authn_login_success: true,
  authn_logout: true,
  authn_password_change: true,
  authn_password_change_fail: true,
  authn_password_reset: true,
  authn_password_reset_requested: true,
  authn_recovery_codes_replaced: true,
  authn_token_created: true,
  authn_token_fail: true,
  authn_token_revoked: true,
  authn_two_factor_off: true,
  authn_two_factor_on: true,
  authz_change: true,
  authz_fail: true,
  connection_created: true,
  connection_deleted: true,
  connection_lost: true,
  connection_refused: true,
  connection_started: true,
  connections_link_created: true,
  excess_rate_limit_exceeded: true,
  export_downloaded: true,
  export_requested: true,
  invitation_created: true,
  invitation_revoked: true,
  member_joined: true,
  member_left: true,
  member_reactivated: true,
  member_removed: true,
  member_suspended: true,
  session_revoked: true,
  sessions_revoked: true,
  user_created: true,
  user_deleted: true,
  user_signup_requested: true,
  webhook_created: true,
  webhook_deleted: true,
  webhook_disabled: true,
  webhook_secret_rotated: true,
  webhook_updated: true,
  workspace_created: true,
  workspace_deleted: true,
}

test('every event of the vocabulary occurred', () => {
  expect([...seen.keys()].sort()).toEqual(Object.keys(vocabulary).sort())
})
