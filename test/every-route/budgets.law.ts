import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Route, routes } from '../../functions/routes.ts'
import { limitNameOf } from '../../shared/access/rate-limit.ts'
import { sweepShards } from '../../shared/resources.ts'
import { sweep } from '../../shared/sweeper/sweep.ts'
import { type Kit, start } from '../support/start.ts'
import { callRoute } from '../support/world/ask.ts'
import { happyCall } from '../support/world/happy-calls.ts'
import { makeHook, makePost, minuteMs } from '../support/world/preparations.ts'
import { makeStepRecorder, tripsOf } from '../support/world/round-trips.ts'

const recorder = makeStepRecorder()
let kit: Kit

beforeAll(async () => {
  kit = await start({ observe: recorder.observe })
  recorder.readTimeFrom(kit.clock)
}, 120_000)
afterAll(() => kit.close())

test('a text post costs two round trips to the table after its claim; those before it are counted', async () => {
  await makeHook(kit)
  const dueMs = kit.clock.now() + 10 * minuteMs
  await makePost(kit, 'A walk', 10 * minuteMs)
  await kit.service.drain()
  const steps = await recorder.during(() => kit.service.pass(11 * minuteMs))
  expect(tripsOf(steps, 'prepare-post')).toBe('Query | SendMessage')
  const [before, after] = [
    steps.filter(({ atMs }) => atMs < dueMs - 200),
    steps.filter(({ atMs }) => atMs >= dueMs - 200),
  ]
  expect(tripsOf(before, 'publish-post')).toBe('BatchGetItem')
  expect(tripsOf(after, 'publish-post')).toBe(
    'BatchGetItem + UpdateItem | POST /xrpc/com.atproto.repo.putRecord | TransactWriteItems | SendMessage',
  )
  expect(tripsOf(steps, 'relay-events')).toBe('BatchGetItem | PutEvents | SendMessage')
  expect(tripsOf(steps, 'deliver-webhook')).toBe('BatchGetItem | POST | PutItem | UpdateItem')
})

test('publishing immediately costs one read, one claim, and one commit', async () => {
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'At once' }
  await kit.api.posts.publishNow({ body })
  const steps = await recorder.during(() => kit.service.drain())
  expect(tripsOf(steps, 'publish-post')).toBe(
    'BatchGetItem | BatchGetItem + UpdateItem | POST /xrpc/com.atproto.repo.putRecord | TransactWriteItems | SendMessage',
  )
})

test('an idle sweeper reads the pauses, then each shard once', async () => {
  // The first sweep of a table names it in the row of pauses.
  await sweep(kit.service.contextOf('sweep'))
  const steps = await recorder.during(() => sweep(kit.service.contextOf('sweep')))
  expect(tripsOf(steps, 'sweep')).toBe(
    `BatchGetItem | ${Array.from({ length: sweepShards }, () => 'Query').join(' + ')}`,
  )
})

/**
 * What each route does when all is well, where that is more or less than the one read of `usual`. A change that the audit
 * trail records is a transaction with its entry.
 */
const budgets: Readonly<Record<string, string>> = {
  'ai.createJob': 'BatchGetItem | Query | BatchGetItem | TransactWriteItems | SendMessage',
  'ai.generate':
    'BatchGetItem | Query | BatchGetItem | TransactWriteItems | Converse + Converse + Converse + Converse | TransactWriteItems',
  'ai.rewrite': 'BatchGetItem | TransactWriteItems | Converse | TransactWriteItems',
  'ai.transcribe': 'BatchGetItem | TransactWriteItems | SendMessage',
  'application.createToken': 'BatchGetItem | Query | TransactWriteItems | SendMessage',
  'application.createWorkspace': 'BatchGetItem | GenerateDataKeyWithoutPlaintext | TransactWriteItems',
  'application.listTokens': 'BatchGetItem | Query | BatchGetItem',
  'application.listWorkspaces': 'BatchGetItem | Query | BatchGetItem',
  'application.register': 'BatchGetItem | TransactWriteItems',
  'application.remove': 'BatchGetItem | BatchGetItem + Query | TransactWriteItems',
  'application.revokeToken': 'BatchGetItem | TransactWriteItems',
  'application.update': 'BatchGetItem | TransactWriteItems',
  'application.updateWorkspace': 'BatchGetItem | BatchGetItem | TransactWriteItems',
  'auth.changePassword': 'BatchGetItem | BatchGetItem + Query + Query + count | TransactWriteItems | SendMessage',
  'auth.confirmTwoFactor': 'BatchGetItem | BatchGetItem + count | count | TransactWriteItems | SendMessage',
  // Once in the life of an account: all its workspaces are read with their members.
  'auth.deleteAccount':
    'BatchGetItem | BatchGetItem + count | count | count | count | Query | BatchGetItem | Query + Query | TransactWriteItems | Query | SendMessage + SendMessage',
  'auth.disableTwoFactor':
    'BatchGetItem | BatchGetItem + count | count | count | count | TransactWriteItems | SendMessage',
  'auth.enrollTwoFactor': 'BatchGetItem | BatchGetItem + count | count | GenerateDataKeyWithoutPlaintext | PutItem',
  'auth.listSessions': 'BatchGetItem | Query',
  // The members of each workspace that the person owns, and its pending live deletions.
  'auth.previewDeletion': 'BatchGetItem | Query | BatchGetItem | Query + Query + Query + Query + Query + Query',
  'auth.replaceRecoveryCodes':
    'BatchGetItem | BatchGetItem + count | count | count | count | TransactWriteItems | SendMessage',
  'auth.requestPasswordReset': 'count | BatchGetItem | PutItem | SendEmail',
  'auth.resendVerification': 'count | BatchGetItem | PutItem | SendEmail',
  'auth.resetPassword': 'BatchGetItem | BatchGetItem | Query + Query + Query | TransactWriteItems | SendMessage',
  'auth.revokeOtherSessions': 'BatchGetItem | BatchGetItem | TransactWriteItems',
  'auth.revokeSession': 'BatchGetItem | TransactWriteItems',
  'auth.signIn': 'BatchGetItem | count | count | Query | TransactWriteItems',
  'auth.signOut': 'BatchGetItem | TransactWriteItems',
  'auth.signUp': 'TransactWriteItems | count | SendEmail',
  'auth.verifyEmail': 'BatchGetItem | TransactWriteItems',
  // Stripe is read before a change and after it. The usage in the response is read last.
  'billing.cancel':
    'BatchGetItem | GET /v1/subscriptions | POST /v1/subscriptions/{id} | BatchGetItem | GET /v1/subscriptions | TransactWriteItems | BatchGetItem + Query + Query',
  'billing.change':
    'BatchGetItem | GET /v1/subscriptions | Query + Query | POST /v1/subscriptions/{id} | BatchGetItem | GET /v1/subscriptions | TransactWriteItems | BatchGetItem + Query + Query',
  'billing.checkout':
    'BatchGetItem | POST /v1/customers | TransactWriteItems | POST /v1/checkout/sessions | TransactWriteItems',
  'billing.get': 'BatchGetItem | BatchGetItem + Query + Query',
  'billing.portal': 'BatchGetItem | POST /v1/billing_portal/sessions',
  'billing.resume':
    'BatchGetItem | GET /v1/subscriptions | BatchGetItem | GET /v1/subscriptions | TransactWriteItems | BatchGetItem + Query + Query',
  'cli.createToken': 'BatchGetItem | Query | BatchGetItem | TransactWriteItems | SendMessage',
  'cli.listTokens': 'BatchGetItem | Query | BatchGetItem',
  'cli.pollDeviceLogin': 'UpdateItem | Query | TransactWriteItems',
  'cli.revokeToken': 'BatchGetItem | TransactWriteItems',
  'cli.startDeviceLogin': 'TransactWriteItems',
  'drafts.create': 'BatchGetItem | TransactWriteItems',
  'drafts.delete': 'BatchGetItem | TransactWriteItems',
  'drafts.list': 'BatchGetItem | BatchGetItem + Query',
  'drafts.update': 'BatchGetItem | UpdateItem',
  'media.complete':
    'BatchGetItem | HeadObject | GetObject | UpdateItem | CopyObject | TransactWriteItems | DeleteObject + SendMessage',
  // The first call of an environment finds out by a second count whether the workspace has a counter.
  'media.create': 'BatchGetItem | count | count | UpdateItem | PutObject | TransactWriteItems | SendMessage',
  'media.createUploadUrl': 'BatchGetItem | count | PutObject',
  'media.delete': 'BatchGetItem | Query | TransactWriteItems | DeleteObjects + ListObjectsV2 | TransactWriteItems',
  'media.list': 'BatchGetItem | BatchGetItem + Query',
  'media.update': 'BatchGetItem | UpdateItem',
  'memory.create': 'BatchGetItem | TransactWriteItems',
  'memory.createCollection': 'BatchGetItem | TransactWriteItems',
  'memory.delete': 'BatchGetItem | TransactWriteItems',
  'memory.deleteCollection': 'BatchGetItem | TransactWriteItems | SendMessage',
  'memory.list': 'BatchGetItem | Query',
  'memory.listCollections': 'BatchGetItem | Query',
  'memory.search': 'BatchGetItem | Query | BatchGetItem',
  'memory.updateCollection': 'BatchGetItem | UpdateItem',
  'meta.docs': '',
  'meta.docsViewer': '',
  'meta.errorCode': '',
  'meta.guide': '',
  'meta.llms': '',
  'meta.llmsFull': '',
  'meta.health': '',
  'meta.openapi': '',
  'notifications.deleteDevice': 'BatchGetItem | BatchGetItem | TransactWriteItems',
  'notifications.getSettings': 'BatchGetItem | BatchGetItem',
  'notifications.listDevices': 'BatchGetItem | BatchGetItem',
  'notifications.registerDevice': 'BatchGetItem | BatchGetItem | TransactWriteItems',
  'notifications.sendTest': 'BatchGetItem | BatchGetItem | TransactWriteItems | SendMessage',
  'notifications.status': 'BatchGetItem | BatchGetItem',
  'notifications.updateSettings': 'BatchGetItem | BatchGetItem | TransactWriteItems',
  'platforms.list': '',
  'posts.calendar': 'BatchGetItem | Query + Query',
  'posts.getStatistics': 'BatchGetItem | BatchGetItem | Query | BatchGetItem | PutItem',
  'posts.cancel': 'BatchGetItem | TransactWriteItems | SendMessage',
  'posts.delete': 'BatchGetItem | TransactWriteItems | SendMessage',
  'posts.list': 'BatchGetItem | Query | BatchGetItem',
  'posts.listDeliveries': 'BatchGetItem | BatchGetItem | Query',
  'posts.publishNow': 'BatchGetItem | TransactWriteItems | PutItem + SendMessage',
  'posts.publishThreadNow': 'BatchGetItem | TransactWriteItems | PutItem + PutItem + SendMessage',
  'posts.reschedule': 'BatchGetItem | BatchGetItem | TransactWriteItems | CreateSchedule + SendMessage',
  'posts.schedule': 'BatchGetItem | TransactWriteItems | CreateSchedule + PutItem + PutItem + SendMessage',
  'posts.scheduleThread': 'BatchGetItem | TransactWriteItems | CreateSchedule + PutItem + PutItem + SendMessage',
  // The time stays, and with it the schedule.
  'posts.update': 'BatchGetItem | BatchGetItem | TransactWriteItems | SendMessage',
  'socialAccounts.connectBluesky': [
    'BatchGetItem',
    'POST /xrpc/com.atproto.server.createSession',
    'GET /xrpc/app.bsky.actor.getProfile',
    'TransactWriteItems | SendMessage',
  ].join(' | '),
  'socialAccounts.connectWordpress': [
    'BatchGetItem',
    'GET /wp-json/',
    'GET /wp-json/wp/v2/users/me',
    'TransactWriteItems | SendMessage',
  ].join(' | '),
  'socialAccounts.callback':
    'UpdateItem | BatchGetItem | POST /api/oauth2/token | BatchGetItem + PutItem | TransactWriteItems | SendMessage',
  'socialAccounts.serverCallback':
    'UpdateItem | BatchGetItem | BatchGetItem | POST /oauth/token | GET /api/v1/accounts/verify_credentials + GET /api/v2/instance | TransactWriteItems | SendMessage',
  'socialAccounts.connect': 'BatchGetItem | PutItem',
  'socialAccounts.connectNostr': 'BatchGetItem | REQ | TransactWriteItems | SendMessage',
  'socialAccounts.createBlueskyLink': 'BatchGetItem | PutItem',
  'socialAccounts.createWordpressLink': 'BatchGetItem | PutItem',
  'socialAccounts.createConnectionsLink': 'BatchGetItem | PutItem',
  'socialAccounts.createLink': 'BatchGetItem | PutItem',
  'socialAccounts.createNostrLink': 'BatchGetItem | PutItem',
  'socialAccounts.disconnect':
    'BatchGetItem | BatchGetItem | TransactWriteItems | SendMessage | POST /xrpc/com.atproto.server.deleteSession',
  'socialAccounts.discordChannels': 'BatchGetItem | Query | BatchGetItem | GET /guilds/{guild}/channels | PutItem',
  'socialAccounts.createPinterestBoard': 'BatchGetItem | Query | POST /v5/boards | UpdateItem',
  'socialAccounts.list': 'BatchGetItem | Query',
  'socialAccounts.pinterestBoards':
    'BatchGetItem | Query | BatchGetItem | GET /v5/boards | GET /v5/boards | GET /v5/boards | PutItem',
  'socialAccounts.redditFlairOptions':
    'BatchGetItem | Query | BatchGetItem | GET /r/{subreddit}/api/link_flair_v2 | PutItem',
  'socialAccounts.redditPostRequirements':
    'BatchGetItem | Query | BatchGetItem | GET /api/v1/{subreddit}/post_requirements | PutItem',
  'socialAccounts.slackChannels': 'BatchGetItem | Query | BatchGetItem | POST /api/conversations.list | PutItem',
  'socialAccounts.revokeLink': 'BatchGetItem | UpdateItem',
  'socialAccounts.update': 'BatchGetItem | TransactWriteItems',
  'team.acceptInvitation': 'BatchGetItem | BatchGetItem | BatchGetItem | Query | TransactWriteItems',
  'team.changeRole': 'BatchGetItem | TransactWriteItems',
  'team.invite': 'BatchGetItem | count | count | BatchGetItem | Query | TransactWriteItems | SendEmail',
  'team.leave': 'BatchGetItem | Query + Query | TransactWriteItems',
  'team.listInvitations': 'BatchGetItem | Query | BatchGetItem',
  'team.listMembers': 'BatchGetItem | Query | BatchGetItem',
  'team.reactivate': 'BatchGetItem | TransactWriteItems',
  'team.remove': 'BatchGetItem | Query + Query | TransactWriteItems',
  'team.revokeInvitation': 'BatchGetItem | TransactWriteItems',
  'team.suspend': 'BatchGetItem | TransactWriteItems',
  'team.transferOwnership': 'BatchGetItem | TransactWriteItems',
  'webhooks.create': 'BatchGetItem | TransactWriteItems',
  'webhooks.delete': 'BatchGetItem | TransactWriteItems',
  'webhooks.getStatistics': 'BatchGetItem | BatchGetItem | BatchGetItem | Query + Query + Query | PutItem',
  'webhooks.list': 'BatchGetItem | BatchGetItem',
  'webhooks.listDeliveries': 'BatchGetItem | Query',
  'webhooks.listEventLog': 'BatchGetItem | Query',
  'webhooks.redeliver': 'BatchGetItem | Query | TransactWriteItems | SendMessage',
  'webhooks.replay': 'BatchGetItem | Query | TransactWriteItems | SendMessage',
  'webhooks.rotateSecret': 'BatchGetItem | TransactWriteItems',
  'webhooks.sendTest': 'BatchGetItem | count | TransactWriteItems | SendMessage',
  'webhooks.update': 'BatchGetItem | TransactWriteItems',
  'workspaces.create': 'BatchGetItem | Query | BatchGetItem | GenerateDataKeyWithoutPlaintext | TransactWriteItems',
  'workspaces.createExportLink': 'BatchGetItem | TransactWriteItems',
  'workspaces.delete': 'BatchGetItem | Query | TransactWriteItems | SendMessage',
  'workspaces.downloadExport': 'BatchGetItem | BatchGetItem | GetObject | TransactWriteItems',
  'workspaces.export': 'BatchGetItem | BatchGetItem | count | TransactWriteItems | SendMessage',
  'workspaces.list': 'BatchGetItem | BatchGetItem',
  'workspaces.listAudit': 'BatchGetItem | Query | BatchGetItem',
  'workspaces.listConnections': 'BatchGetItem | Query | BatchGetItem',
  'workspaces.listExports': 'BatchGetItem | Query',
  'workspaces.listQuotas': 'BatchGetItem | Query',
  'workspaces.revokeConnection': 'BatchGetItem | TransactWriteItems',
  'workspaces.update': 'BatchGetItem | TransactWriteItems',
  'workspaces.updateVoice': 'BatchGetItem | TransactWriteItems',
}

/** The read that authenticates, with the rows that a handler finds in `prefetched`. */
const usual = 'BatchGetItem'

/** The same with the counting of the call: concurrently with the read that verifies a token, and first where there is none. */
const counted = ({ operation, endpoint: { contract } }: Route): string => {
  const trips = (budgets[operation] ?? usual).split(' | ').filter((trip) => trip !== '')
  if (limitNameOf(contract) === 'none') return trips.join(' | ')
  if (contract.access.kind === 'anyone') return ['count', ...trips].join(' | ')
  const [first = '', ...rest] = trips
  return [`${first} + count`, ...rest].join(' | ')
}

test('each route stays within its budget of round trips', async () => {
  const measured: Record<string, string> = {}
  for (const route of routes) {
    const call = await happyCall(route, kit)
    // The caller is idle; a busy one may cost a second write, still concurrent with the read.
    kit.clock.pass(1_000)
    const steps = await recorder.during(() => callRoute(kit.url, route, call))
    measured[route.operation] = tripsOf(steps, route.name, { counted: true })
  }
  const lines = Object.entries(measured).map(([operation, trips]) => {
    const number = trips === '' ? 0 : trips.split(' | ').length
    return `${operation.padEnd(32)}${number}  ${trips}`
  })
  console.log(`Round trips per route, all well and the environment warm:\n${lines.join('\n')}`)
  expect(measured).toEqual(Object.fromEntries(routes.map((route) => [route.operation, counted(route)])))
  const known = new Set(routes.map(({ operation }) => operation))
  expect(Object.entries(budgets).filter(([operation, trips]) => !known.has(operation) || trips === usual)).toEqual([])
})

test('authentication with workspace, membership, and rate limit takes one round trip, at most two', async () => {
  const route = routes.find(({ operation }) => operation === 'workspaces.get')
  if (route === undefined) throw new Error('there is no such route')
  const call = await happyCall(route, kit)
  const trips = async () =>
    tripsOf(await recorder.during(() => callRoute(kit.url, route, call)), route.name, { counted: true })
  kit.clock.pass(1_000)
  expect(await trips()).toBe('BatchGetItem + count')
  // The caller is busy; this function knows that from its own call, and another one has to look it up.
  expect(await trips()).toBe('BatchGetItem + count')
  kit.clock.pass(1_000)
  await kit.api.workspaces.list()
  expect((await trips()).split(' | ').length).toBeLessThanOrEqual(2)
})

test.each([
  ['of all', () => ({}), 'BatchGetItem | Query'],
  ['of an account', () => ({ socialAccountId: kit.accounts.bluesky }), 'BatchGetItem | Query | BatchGetItem'],
  [
    'of an account in one status',
    () => ({ socialAccountId: kit.accounts.bluesky, status: 'scheduled' }),
    'BatchGetItem | Query | BatchGetItem',
  ],
  ['of a group', () => ({ groupId: 'none' }), 'BatchGetItem | Query'],
])('the first page of posts, %s, costs at most three round trips', async (_, query, budget) => {
  const steps = await recorder.during(() => kit.api.posts.list({ query: query() }))
  expect(tripsOf(steps, 'posts-list')).toBe(budget)
})

test('listing workspaces with a session costs one round trip more than with a token', async () => {
  const steps = await recorder.during(() => kit.sessionApi.workspaces.list())
  expect(tripsOf(steps, 'workspaces-list')).toBe('BatchGetItem | Query | BatchGetItem')
})
