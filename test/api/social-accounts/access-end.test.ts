import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { walkConnect } from '../../../infra/local/demo/walk-connect.ts'
import { linkedinSeed } from '../../../infra/local/platforms/linkedin.ts'
import { youtubeSeed } from '../../../infra/local/platforms/youtube.ts'
import type { PlatformId } from '../../../shared/resources.ts'
import { renewAccount } from '../../../shared/social-accounts/renew.ts'
import { dayMs, hourMs, minuteMs } from '../../../shared/time.ts'
import { type Kit, start } from '../../support/start.ts'
import { makeHook, openAnother } from '../../support/world/preparations.ts'

const lastingScopes = 'w_organization_social r_organization_social rw_organization_admin'

/** Expiry as the service stores it: a minute early. */
const afterDays = (fromMs: number, days: number) => new Date(fromMs + days * dayMs - minuteMs).toISOString()

/** The API with a session that has not ended in the months before. */
const signedIn = async (kit: Kit) => {
  const { token } = await openAnother(kit)
  const session = { baseUrl: kit.url, token, workspaceId: kit.workspaceId }
  return { session, api: client(session) }
}

const connect = async (kit: Kit, platform: PlatformId) => walkConnect((await signedIn(kit)).session, platform)

const accountsOf = async (kit: Kit, platform: PlatformId) =>
  (await kit.api.socialAccounts.list()).filter(({ providerId }) => providerId === platform)

const endsOf = async (kit: Kit, platform: PlatformId) =>
  (await accountsOf(kit, platform)).map(({ accessEndsAt }) => accessEndsAt)

const idOf = async (kit: Kit, platform: PlatformId) => {
  const [account] = await accountsOf(kit, platform)
  if (account === undefined) throw new Error(`${platform} is not connected`)
  return account.id
}

/** Lets days go by, and the sweeper come a few times after them. */
const passDays = async (kit: Kit, days: number, minutes = 5) => {
  kit.clock.pass(days * dayMs)
  await kit.service.pass(minutes * minuteMs)
}

/** The events of a type as the inbox received them, each counted once. */
const noticesOf = ({ inbox }: Kit, eventType: string = 'social_account.access_ending') => {
  const events = inbox.deliveries().map(({ rawBody }) => JSON.parse(rawBody))
  const own = events.filter(({ type }) => type === eventType)
  return [...new Map(own.map((event) => [event.id, event])).values()]
}

const startListening = async () => {
  const kit = await start()
  await makeHook(kit, 'all', ['social_account.access_ending', 'social_account.reconnect_required'])
  return kit
}

/** An app that LinkedIn gives refresh tokens. */
const approveApp = async ({ ctx }: Kit) => {
  const secrets = new SecretsManagerClient({})
  const SecretString = JSON.stringify({ ...linkedinSeed.app, scopes: lastingScopes })
  const SecretId = `${ctx.env('PLATFORM_SECRETS_PREFIX')}linkedin`
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }))
  secrets.destroy()
}

test('an access that no refresh extends shows its end, until it is disconnected; all others show none', async () => {
  const kit = await start()
  const connectedAtMs = kit.clock.now()
  for (const platform of ['linkedin', 'youtube', 'tiktok', 'pinterest'] as const) await connect(kit, platform)
  const all = await kit.api.socialAccounts.list()
  expect(Object.fromEntries(all.map(({ providerId, accessEndsAt }) => [providerId, accessEndsAt]))).toEqual({
    bluesky: null,
    discord: null,
    youtube: null,
    tiktok: null,
    pinterest: null,
    linkedin: afterDays(connectedAtMs, 60),
  })
  await passDays(kit, 2)
  expect(await endsOf(kit, 'linkedin')).toEqual([afterDays(connectedAtMs, 60)])
  const params = { id: await idOf(kit, 'linkedin') }
  await kit.sessionApi.socialAccounts.disconnect({ params })
  expect(await endsOf(kit, 'linkedin')).toEqual([null])
})

test('with a refresh token, the access ends with it, for all accounts of the login; a refresh does not extend it', async () => {
  const kit = await start()
  await approveApp(kit)
  const connectedAtMs = kit.clock.now()
  await connect(kit, 'linkedin')
  const end = afterDays(connectedAtMs, 365)
  expect(await endsOf(kit, 'linkedin')).toEqual([end, end, end])
  await passDays(kit, 59)
  kit.clock.pass(2 * dayMs)
  const scheduledAt = new Date(kit.clock.now() + hourMs).toISOString()
  const socialAccountIds = [await idOf(kit, 'linkedin')]
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body: { socialAccountIds, content: 'Later', scheduledAt } })
  await kit.service.pass(2 * hourMs, { tickMinutes: 30 })
  expect((await kit.api.posts.get({ params: { id } })).status).toBe('published')
  const logins = kit.platforms.calls().filter((call) => call.platform === 'linkedin' && call.operation === 'login')
  expect(logins).toHaveLength(2)
  for (const shown of await endsOf(kit, 'linkedin')) {
    expect(Math.abs(Date.parse(shown ?? '') - Date.parse(end))).toBeLessThan(2_000)
  }
})

test('the end is reported seven days before, once, also where messages are doubled or late', async () => {
  const kit = await startListening()
  const connectedAtMs = kit.clock.now()
  await connect(kit, 'linkedin')
  const id = await idOf(kit, 'linkedin')
  kit.service.queues.faults.onSend = () => 'double'
  await passDays(kit, 1)
  await passDays(kit, 51.9)
  expect(noticesOf(kit)).toEqual([])
  await passDays(kit, 0.1)
  const reported = {
    type: 'social_account.access_ending',
    data: {
      socialAccountId: id,
      platform: 'linkedin',
      username: null,
      externalId: null,
      accessEndsAt: afterDays(connectedAtMs, 60),
      sequence: 2,
      previousEventId: expect.any(String),
    },
  }
  expect(noticesOf(kit)).toMatchObject([reported])
  const message = { workspaceId: kit.workspaceId, socialAccountId: id }
  await Promise.all([renewAccount(kit.ctx, message), renewAccount(kit.ctx, message)])
  await passDays(kit, 1)
  await passDays(kit, 5)
  expect(noticesOf(kit)).toHaveLength(1)
  expect(await endsOf(kit, 'linkedin')).toEqual([afterDays(connectedAtMs, 60)])
})

test('an access that has ended is reported once, and the account must be connected again', async () => {
  const kit = await startListening()
  await connect(kit, 'linkedin')
  kit.service.queues.faults.onSend = () => 'double'
  await passDays(kit, 1)
  await passDays(kit, 52)
  await passDays(kit, 6.9)
  expect(noticesOf(kit, 'social_account.reconnect_required')).toEqual([])
  await passDays(kit, 0.1)
  const lost = [{ data: { platform: 'linkedin', reason: 'credentials_refused' } }]
  expect(noticesOf(kit, 'social_account.reconnect_required')).toMatchObject(lost)
  expect(await accountsOf(kit, 'linkedin')).toMatchObject([{ needsReconnect: true, accessEndsAt: null }])
  await passDays(kit, 30)
  expect(noticesOf(kit, 'social_account.reconnect_required')).toHaveLength(1)
  await connect(kit, 'linkedin')
  expect(await accountsOf(kit, 'linkedin')).toMatchObject([{ needsReconnect: false }])
})

test('two concurrent checks report it once; people get an email with the day', async () => {
  const kit = await startListening()
  await connect(kit, 'linkedin')
  await passDays(kit, 1)
  const message = { workspaceId: kit.workspaceId, socialAccountId: await idOf(kit, 'linkedin') }
  kit.clock.pass(53 * dayMs)
  await Promise.all([renewAccount(kit.ctx, message), renewAccount(kit.ctx, message)])
  await kit.service.pass(5 * minuteMs)
  expect(noticesOf(kit)).toHaveLength(1)
  expect(kit.mail.outbox().map(({ subject }) => subject)).toContain(
    'Access to an account on LinkedIn ends on 2030-03-02',
  )
})

test('an account that is connected again has a new end, and its own report', async () => {
  const kit = await startListening()
  await connect(kit, 'linkedin')
  await passDays(kit, 50)
  const againAtMs = kit.clock.now()
  await connect(kit, 'linkedin')
  expect(await endsOf(kit, 'linkedin')).toEqual([afterDays(againAtMs, 60)])
  await passDays(kit, 1)
  await passDays(kit, 9)
  expect(noticesOf(kit)).toEqual([])
  await passDays(kit, 44)
  expect(noticesOf(kit)).toMatchObject([{ data: { accessEndsAt: afterDays(againAtMs, 60) } }])
  const lastAtMs = kit.clock.now()
  await connect(kit, 'linkedin')
  await passDays(kit, 1)
  await passDays(kit, 53)
  expect(noticesOf(kit).map(({ data }) => data.accessEndsAt)).toEqual([
    afterDays(againAtMs, 60),
    afterDays(lastAtMs, 60),
  ])
})

test('the end of an account that is disconnected is not reported', async () => {
  const kit = await startListening()
  await connect(kit, 'linkedin')
  await passDays(kit, 1)
  const id = await idOf(kit, 'linkedin')
  const { api } = await signedIn(kit)
  await api.socialAccounts.disconnect({ params: { id } })
  kit.clock.pass(53 * dayMs)
  await renewAccount(kit.ctx, { workspaceId: kit.workspaceId, socialAccountId: id })
  await kit.service.pass(5 * minuteMs)
  expect(noticesOf(kit)).toEqual([])
})

test('access that Google limits to a week is reported a day after it was granted', async () => {
  const kit = await startListening()
  const { id, title } = youtubeSeed.demo.channel
  const body = { access_token: 'a', refresh_token: 'r', expires_in: 3599, refresh_token_expires_in: 604_799 }
  const channels = { items: [{ id, snippet: { title }, contentDetails: { relatedPlaylists: {} } }] }
  const answer = { platform: 'youtube', times: 1, fault: 'status', status: 200 } as const
  kit.platforms.faults.add({ ...answer, operation: 'login', body })
  kit.platforms.faults.add({ ...answer, operation: 'channels', body: channels })
  const connectedAtMs = kit.clock.now()
  await connect(kit, 'youtube')
  const end = new Date(connectedAtMs + 604_739_000).toISOString()
  expect(await endsOf(kit, 'youtube')).toEqual([end])
  await passDays(kit, 1)
  expect(noticesOf(kit)).toMatchObject([{ data: { platform: 'youtube', accessEndsAt: end } }])
  await passDays(kit, 1)
  expect(noticesOf(kit)).toHaveLength(1)
  await passDays(kit, 5)
  expect(noticesOf(kit, 'social_account.reconnect_required')).toMatchObject([{ data: { platform: 'youtube' } }])
})
