import { client } from '../../../functions/client.ts'
import { submitConnectPage } from '../../../infra/local/demo/submit-connect-page.ts'
import { blueskySeed } from '../../../infra/local/platforms/bluesky/seed.ts'
import { discordSeed } from '../../../infra/local/platforms/discord/seed.ts'
import { slackSeed } from '../../../infra/local/platforms/slack/seed.ts'
import { wordpressSeed } from '../../../infra/local/platforms/wordpress.ts'
import { putFile } from '../../../shared/aws/put-file.ts'
import type { Context } from '../../../shared/context.ts'
import { put, transact, update } from '../../../shared/db/table.ts'
import { eventExample } from '../../../shared/events/catalog.ts'
import { makeEvent } from '../../../shared/events/event.ts'
import { expiryOf, outbox } from '../../../shared/events/outbox.ts'
import type { EventType } from '../../../shared/events/types.ts'
import { archiveKeyOf, exports } from '../../../shared/export/export.ts'
import { answerDeviceLogin, claimUserCode } from '../../../shared/identity/answer-device-login.ts'
import { credentials } from '../../../shared/identity/credential.ts'
import { openSession } from '../../../shared/identity/open-session.ts'
import { stepSeconds, totpCode } from '../../../shared/identity/totp.ts'
import { users } from '../../../shared/identity/user.ts'
import { random62, ulid } from '../../../shared/ids.ts'
import type { Connection } from '../../../shared/platforms/account.ts'
import type { PlatformId } from '../../../shared/resources.ts'
import { createChoice } from '../../../shared/social-accounts/choice.ts'
import { type Delivery, deliveries, pendingDelivery } from '../../../shared/webhooks/deliveries/lifecycle/row.ts'
import { replays } from '../../../shared/webhooks/replays/replay.ts'
import { type Member, members, membershipKey, workspaces } from '../../../shared/workspaces/workspace.ts'
import { chunk } from '../../media/files.ts'
import { connected as connectAssistant } from '../../oauth/assistant.ts'
import { connectOn } from '../connect.ts'
import { firstEvent } from '../first-event.ts'
import type { Kit } from '../start.ts'

export const password = 'correct horse battery'
export const minuteMs = 60_000

/** A text channel the bot may write to. */
export const channelId = discordSeed.channels.find(({ name }) => name === 'general')?.id ?? ''

/** How the seeded person signs in at the Bluesky stand-in. */
export const blueskyLogin = {
  identifier: blueskySeed.account.handle,
  appPassword: blueskySeed.account.appPassword,
}

/** How the person of an account signs in that is not connected yet. */
export const newBlueskyLogin = {
  identifier: blueskySeed.thirdAccount.handle,
  appPassword: blueskySeed.thirdAccount.appPassword,
}

/** How a user of the WordPress stand-in signs in. */
export const newWordPressLogin = {
  site: wordpressSeed.site,
  username: wordpressSeed.users[1].username,
  applicationPassword: wordpressSeed.users[1].applicationPassword,
}

/** A second Bluesky account, for a call that uses it up; returns its id. */
export const connectAnother = async ({ sessionApi }: Kit): Promise<string> => {
  const { handle: identifier, appPassword } = blueskySeed.secondAccount
  return (await sessionApi.socialAccounts.connectBluesky({ body: { identifier, appPassword } })).id
}

/** A Slack workspace whose tokens end, and are renewed. */
export const rotatingTeam = slackSeed.teams[1]?.id ?? ''

const connected = new WeakMap<object, Map<PlatformId, Promise<string>>>()

/** An account of the seeded person, connected once through the platform's page; returns its id. */
export const connectOnce = (kit: Kit, platform: PlatformId, person?: string): Promise<string> => {
  const own = connected.get(kit) ?? new Map<PlatformId, Promise<string>>()
  connected.set(kit, own)
  const account = own.get(platform) ?? connectOn(kit, platform, person)
  own.set(platform, account)
  return account
}

/** A thread of two tweets for an account on X. */
export const threadBody = async (kit: Kit, text: string) => ({
  socialAccountId: await connectOnce(kit, 'x'),
  tweets: [{ content: `${text} 1` }, { content: `${text} 2` }],
})

/** The smallest picture that every platform takes: 4 by 4 pixels. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAYAAACp8Z5+AAAAEklEQVR42mNISfn/HxkzkC4AANHvLGH++E1oAAAAAElFTkSuQmCC',
  'base64',
)
export const picture = { mimeType: 'image/png' as const, fileSize: pixel.byteLength }

/** The same picture, with so large a color profile that Bluesky is sent another one. */
export const heavyPixel = Buffer.concat([
  pixel.subarray(0, 33),
  chunk('iCCP', Buffer.alloc(1_100_000)),
  pixel.subarray(33),
])

/** Uploads bytes to a new URL; returns the body that completes the upload. */
export const upload = async ({ api }: Pick<Kit, 'api'>, bytes: Uint8Array = pixel) => {
  const fileInfo = { ...picture, fileSize: bytes.byteLength }
  const { uploadUrl, storageKey } = await api.media.createUploadUrl({ body: { filename: 'pixel.png', ...fileInfo } })
  const headers = { 'Content-Type': picture.mimeType }
  const { status } = await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(bytes) })
  if (status !== 200) throw new Error(`the upload answered ${status}`)
  return { storageKey, originalFilename: 'pixel.png', ...fileInfo }
}

export const makeAsset = async (kit: Pick<Kit, 'api'>, bytes?: Uint8Array) =>
  kit.api.media.complete({ body: await upload(kit, bytes) })

export const makeCollection = ({ api }: Pick<Kit, 'api'>) => api.memory.createCollection({ body: { name: 'Notes' } })

/** A memory in its own collection. */
export const makeMemory = async (kit: Pick<Kit, 'api'>) =>
  kit.api.memory.create({ body: { text: 'A thought', collectionId: (await makeCollection(kit)).id } })

/** A draft with everything that one may have. */
export const draftBody = async (kit: Kit) => {
  const { id } = await makeAsset(kit)
  return {
    content: 'Perhaps one day',
    name: 'An idea',
    socialAccountIds: [kit.accounts.bluesky, kit.accounts.discord],
    selectedPlatforms: ['bluesky' as const, 'discord' as const],
    mediaUrls: [id],
    platformContent: { bluesky: 'Perhaps one day, up there' },
    platformMedia: { discord: [id] },
    firstComment: { text: 'The recipe is on our site.', delaySeconds: 60 },
    metadata: { discord: { channelId } },
  }
}

export const makeDraft = async (kit: Kit) => kit.api.drafts.create({ body: await draftBody(kit) })

/** A post for both accounts, some time ahead. */
export const postBody = ({ accounts, clock }: Kit, content: string, inMs = 60 * minuteMs) => ({
  socialAccountIds: [accounts.bluesky, accounts.discord],
  content,
  metadata: { discord: { channelId } },
  scheduledAt: new Date(clock.now() + inMs).toISOString(),
})

/** A scheduled post on Bluesky. */
export const makePost = async (kit: Kit, content = 'A post', inMs = 60 * minuteMs) => {
  const body = { ...postBody(kit, content, inMs), socialAccountIds: [kit.accounts.bluesky] }
  const [post] = await kit.api.posts.schedule({ body })
  if (post === undefined) throw new Error('no post was scheduled')
  return post
}

export const hookBody = ({ service }: Kit, name: string, events: EventType[] = ['post.published']) => ({
  name,
  url: `${service.inboxUrl}/hooks/${name}`,
  events,
})

export const makeHook = (kit: Kit, name = 'hook', events?: EventType[]) =>
  kit.sessionApi.webhooks.create({ body: hookBody(kit, name, events) })

/** The same for several calls: a workspace has few. */
export const hookOnce = async (kit: Kit, name: string) =>
  (await kit.sessionApi.webhooks.list()).find((hook) => hook.name === name) ?? (await makeHook(kit, name))

/** A failed attempt of an event that only this endpoint received. */
export const makeDelivery = async (kit: Kit): Promise<Delivery> => {
  const { ctx, clock, workspaceId } = kit
  const { id: endpointId } = await hookOnce(kit, 'told')
  const workspace = await workspaces.get(ctx, { id: workspaceId })
  if (workspace === undefined) throw new Error('the workspace is not there')
  const [type, outboxId, ttl] = ['post.published' as const, ulid(clock.now()), expiryOf(ctx)]
  const event = makeEvent(type, workspace, clock.now(), firstEvent(outboxId), { ...eventExample(type), test: true })
  const of = { workspaceId, endpointId, outboxId, eventIndex: 0, eventId: event.id, eventType: type, ttl }
  const planned = { ...of, attempt: 1, step: 1, firstAtMs: clock.now(), cause: 'event' } as const
  const delivery: Delivery = { ...pendingDelivery(planned, clock.now(), clock.now()), status: 'exhausted' }
  await transact(ctx, () => [
    { put: outbox.item({ id: outboxId, workspaceId, events: [event], ttl }) },
    { put: deliveries.item(delivery) },
  ])
  return delivery
}

/** A replay that is over; returns its id. */
export const makeReplay = async ({ ctx, clock, workspaceId }: Kit): Promise<string> => {
  const [id, now] = [`rpl_${ulid(clock.now())}`, clock.now()]
  // Ids of two workspaces must not meet.
  const endpointId = `whe_${random62(20)}`
  const of = { id, workspaceId, endpointId, status: 'completed', reason: null, scope: 'failed' } as const
  const counts = { matched: 0, countedTo: '', counted: 0, doneTo: '', queued: 0, nextSinceMs: null, version: 1 }
  const times = { sinceMs: now, untilMs: now, dueAtMs: now, createdAt: new Date(now).toISOString(), finishedAt: null }
  await put(ctx, replays.item({ ...of, ...counts, ...times, eventTypes: [] }))
  return id
}

/** An export that is complete; returns the parameters of its routes. */
export const makeExport = async ({ ctx, clock, workspaceId, user }: Kit) => {
  const now = clock.now()
  const [createdAt, expiresAt] = [new Date(now).toISOString(), new Date(now + 7 * 24 * 60 * minuteMs).toISOString()]
  const exportId = `exp_${ulid(now)}`
  const of = { id: exportId, workspaceId, requestedBy: user.id, status: 'completed', reason: null } as const
  const progress = { records: 1, mediaFiles: 0, missingFiles: 0, bytes: 1 }
  const job = { ...of, createdAt, finishedAt: createdAt, expiresAt, progress, version: 1, crashes: 0, restarts: 0 }
  await putFile(ctx, archiveKeyOf(of), Buffer.from('PK'), 'application/zip')
  await put(ctx, exports.item(job))
  return { id: workspaceId, exportId }
}

/** The token of the link in the newest mail to an address. */
const tokenMailedTo = ({ mail }: Pick<Kit, 'mail'>, email: string): string => {
  const letter = mail.outbox().findLast(({ to }) => to.includes(email))
  const [, token = ''] = /token=(\w+)/.exec(letter?.text ?? '') ?? []
  return token
}

/** Signs a user up and returns their address and the token in the email. */
export const signUp = async ({ url, mail }: Kit) => {
  const email = `${random62(12).toLowerCase()}@mail.test`
  await client({ baseUrl: url }).auth.signUp({ body: { email, password: 'waits for its link', name: 'Cy' } })
  return { email, token: tokenMailedTo({ mail }, email) }
}

/** What `password` rests as; made once, since it takes its time. */
const passwordHash = '$scrypt$ln=15,r=8,p=3$3o1FLK2IJaAUKoQyHB/DPA$OuVLig25bBkbUmlRKTGGgsJce68kpv+UZ01ve6CVBr8'

/** Creates an account in the state after sign-up and link, without those steps. */
export const settle = async (ctx: Context, email: string, name = 'Cy') => {
  const userId = random62(12)
  const createdAt = new Date(ctx.clock.now()).toISOString()
  await put(ctx, credentials.item({ email, name, userId, passwordHash, verified: true }))
  await put(ctx, users.item({ id: userId, email, name, createdAt }))
  return { email, name, userId }
}

/** A user with an account, and their credentials. */
export const makePerson = async ({ ctx }: Kit) => {
  const { email } = await settle(ctx, `${random62(12).toLowerCase()}@mail.test`)
  return { email, password }
}

/** Another session of the seeded person. */
export const openAnother = ({ ctx, user }: Kit) =>
  openSession(ctx, { userId: user.id, email: user.email, name: user.name, userAgent: 'test' })

export const makeSession = async (kit: Kit) => (await openAnother(kit)).token

/** A user with their own account and a session. */
export const makeSignedIn = async ({ ctx }: Kit) => {
  const person = await settle(ctx, `${random62(12).toLowerCase()}@mail.test`)
  const { token } = await openSession(ctx, { ...person, userAgent: 'test' })
  return { email: person.email, password, token }
}

/** A user with a second factor, who signed in before. A code is valid once: `nextCode` is the code of the next 30 seconds. */
export const makeTwoFactor = async (kit: Kit) => {
  const { email, token } = await makeSignedIn(kit)
  await update(kit.ctx, credentials.key({ email }), { set: { signedInAt: new Date(kit.clock.now()).toISOString() } })
  const { auth } = client({ baseUrl: kit.url, token })
  const { secret } = await auth.enrollTwoFactor({ body: { password } })
  const { recoveryCodes } = await auth.confirmTwoFactor({ body: { code: totpCode(secret, kit.clock.now()) } })
  const nextCode = () => totpCode(secret, kit.clock.now() + stepSeconds * 1000)
  return { email, password, token, secret, recoveryCodes, nextCode }
}

/** Requests a new password; returns the token in the email. */
export const requestReset = async (kit: Kit): Promise<string> => {
  const { email } = await makePerson(kit)
  await client({ baseUrl: kit.url }).auth.requestPasswordReset({ body: { email } })
  return tokenMailedTo(kit, email)
}

/** Starts the login of a device, which the seeded person approves; returns its code. */
export const approveDevice = async (kit: Kit): Promise<string> => {
  const { deviceCode, userCode } = await client({ baseUrl: kit.url }).cli.startDeviceLogin()
  const { session } = await openAnother(kit)
  await claimUserCode(kit.ctx, session, userCode)
  await answerDeviceLogin(kit.ctx, session, userCode, 'approved')
  return deviceCode
}

/** A workspace of the seed's person with a file in it. */
export const makeWorkspace = async (kit: Kit) => {
  const { id, slug } = await kit.sessionApi.workspaces.create({ body: { name: 'Passing', timezone: 'UTC' } })
  const api = client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId: id })
  await api.media.complete({ body: await upload({ api }) })
  return { id, slug, api }
}

/** A user with an account and a session. */
export const makeGuest = async ({ ctx, clock }: Kit) => {
  const userId = random62(12)
  const person = { email: `${userId.toLowerCase()}@mail.test`, name: 'Dee' }
  await put(ctx, users.item({ ...person, id: userId, createdAt: new Date(clock.now()).toISOString() }))
  const { token: session } = await openSession(ctx, { ...person, userId, userAgent: 'test' })
  return { ...person, userId, session }
}

/** A member of the seed's workspace. */
export const makeMember = async (kit: Kit, role: Member['role'] = 'member', status: Member['status'] = 'active') => {
  const { ctx, workspaceId, clock } = kit
  const guest = await makeGuest(kit)
  const { userId } = guest
  const createdAt = new Date(clock.now()).toISOString()
  await put(ctx, members.item({ workspaceId, userId, role, status, createdAt }))
  await put(ctx, { ...membershipKey(userId, workspaceId), type: 'Membership' })
  return guest
}

/** Invites a user with an account; returns them, the invitation, and the token in the email. */
export const inviteGuest = async (kit: Kit) => {
  const guest = await makeGuest(kit)
  const invitation = await kit.sessionApi.team.invite({
    params: { id: kit.workspaceId },
    body: { email: guest.email, role: 'member' },
  })
  return { guest, invitation, token: tokenMailedTo(kit, guest.email) }
}

/** The id of an assistant's connection, which the seed's person has allowed: its tokens begin with it. */
export const makeConnection = async (kit: Kit): Promise<string> =>
  (await connectAssistant(kit)).tokens.access_token.slice('svc_oat_'.length, 'svc_oat_'.length + 20)

/** A login that opens two servers, of which the seeded person has yet to choose; returns the ticket. */
export const offerServers = async ({ ctx, user, workspaceId }: Kit): Promise<string> => {
  const workspace = await workspaces.get(ctx, { id: workspaceId })
  if (workspace === undefined) throw new Error('the workspace is not there')
  const server = (externalId: string, username: string): Connection => ({
    platform: 'discord',
    providerName: 'Discord',
    externalId,
    username,
    displayName: username,
    profileImageUrl: null,
    credentials: {},
    details: {},
  })
  const connections = [server('1300000000000000801', 'One'), server('1300000000000000802', 'Two')]
  return createChoice(ctx, workspace, { userId: user.id, workspaceId, platform: 'discord' }, connections)
}

/** Adds the bot at the stand-in; returns what Discord sends the person back with, and the cookie of their browser. */
export const installBot = (kit: Kit) => logIn(kit, { params: { platform: 'discord' } })

/** A login that was approved: what the callback gets, in the browser that began it. */
export const logIn = async (
  { sessionApi }: Kit,
  link: Parameters<Kit['sessionApi']['socialAccounts']['connect']>[0],
): Promise<{ query: Record<string, string>; headers: { Cookie: string } }> => {
  const { authorizeUrl } = await sessionApi.socialAccounts.connect(link)
  const { address, cookie } = await submitConnectPage(authorizeUrl)
  const body = new URLSearchParams({ answer: 'allow' })
  const { headers } = await fetch(address, { method: 'POST', body, redirect: 'manual' })
  const query = Object.fromEntries(new URL(headers.get('Location') ?? '').searchParams)
  return { query, headers: { Cookie: cookie } }
}

/** An app that is not registered yet. */
export const phone = () => ({ token: `ExponentPushToken[${random62(22)}]`, platform: 'ios' as const, name: 'Phone' })

/** A browser that is registered for push notifications. */
export const makeDevice = async ({ sessionApi, push }: Kit) => {
  const { vapidPublicKey } = await sessionApi.notifications.status()
  const subscription = push.subscribe(vapidPublicKey ?? '')
  return sessionApi.notifications.registerDevice({ body: { ...subscription, name: 'Browser' } })
}
