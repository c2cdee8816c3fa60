import { client } from '../../../functions/client.ts'
import { type Route, routes } from '../../../functions/routes.ts'
import { mastodonSeed } from '../../../infra/local/platforms/mastodon/seed.ts'
import { nostrSeed } from '../../../infra/local/platforms/nostr/seed.ts'
import { totpCode } from '../../../shared/identity/totp.ts'
import { random62 } from '../../../shared/ids.ts'
import type { Delivery } from '../../../shared/webhooks/deliveries/lifecycle/row.ts'
import { uploadVideo } from '../../journeys/upload-video.ts'
import type { Kit } from '../start.ts'
import { applicationOnce, makeApplicationToken, makeChild, makeRemovable, workspaceFor } from './applications.ts'
import type { Call } from './ask.ts'
import {
  approveDevice,
  connectAnother,
  connectOnce,
  draftBody,
  hookBody,
  hookOnce,
  installBot,
  inviteGuest,
  logIn,
  makeAsset,
  makeCollection,
  makeConnection,
  makeDelivery,
  makeDevice,
  makeDraft,
  makeExport,
  makeHook,
  makeMember,
  makeMemory,
  makePerson,
  makePost,
  makeReplay,
  makeSession,
  makeSignedIn,
  makeTwoFactor,
  makeWorkspace,
  minuteMs,
  newBlueskyLogin,
  newWordPressLogin,
  openAnother,
  password,
  phone,
  picture,
  pixel,
  postBody,
  requestReset,
  rotatingTeam,
  signUp,
  threadBody,
  upload,
} from './preparations.ts'
import { makeSubscriber, stripeEvent } from './subscribers.ts'

const at = ({ clock }: Kit, inMs: number) => new Date(clock.now() + inMs).toISOString()
const of = ({ id }: { id: string }) => ({ params: { id } })
const ofDelivery = ({ endpointId: id, id: deliveryId }: Delivery) => ({ params: { id, deliveryId } })

/** Texts with everything that a request may name. */
const generateBody = async (kit: Kit) => ({
  prompt: 'A thought about bread',
  platforms: ['x' as const],
  socialAccountIds: [kit.accounts.bluesky],
  collectionIds: [(await makeMemory(kit)).collectionId],
  tone: 'warm',
  language: 'en',
  count: 2,
})

/** Inside a workspace that has bought a plan. */
const payer = async (kit: Kit) => ({ workspaceId: (await makeSubscriber(kit)).workspaceId })

/** A call about a member made for it. */
const ofMember = async (kit: Kit, status: 'active' | 'suspended' = 'active') => {
  const { userId } = await makeMember(kit, 'member', status)
  return { params: { id: kit.workspaceId, userId } }
}

/** A replay of a past period without events to an endpoint. */
const longAgoMs = -20 * 24 * 60 * minuteMs + 1234
const replayOf = async (kit: Kit) => {
  const { id } = await hookOnce(kit, 'again')
  return { ...of({ id }), body: { since: at(kit, longAgoMs), until: at(kit, longAgoMs), scope: 'all' as const } }
}

/** What an operation below one of these paths is called about, if it needs nothing else. */
const subjects: Readonly<Record<string, (kit: Kit) => Promise<{ id: string }>>> = {
  '/api/drafts/{id}': (kit) => makeDraft(kit),
  '/api/media/{id}': (kit) => makeAsset(kit),
  '/api/memory/collections/{id}': (kit) => makeCollection(kit),
  '/api/posts/{id}': (kit) => makePost(kit),
  '/api/webhooks/{id}': (kit) => makeHook(kit),
}

const makerOf = ({ endpoint: { contract } }: Route) => subjects[/^(.*?\{id\})/.exec(contract.path)?.[1] ?? '']

const aboutSubject = async (route: Route, kit: Kit): Promise<Call> => {
  const subject = await makerOf(route)?.(kit)
  return subject === undefined ? {} : of(subject)
}

/** How the other operations are called when all is well; what a call uses up is made for it alone. */
const calls: Readonly<Record<string, (kit: Kit) => Call | Promise<Call>>> = {
  'ai.createJob': async (kit) => ({ body: await generateBody(kit) }),
  'ai.generate': async (kit) => ({ body: await generateBody(kit) }),
  'ai.getJob': async (kit) => {
    const { jobId } = await kit.sessionApi.ai.createJob({ body: { prompt: 'A loaf', platforms: ['x'] } })
    return of({ id: jobId })
  },
  'ai.getUsage': () => ({}),
  'ai.rewrite': () => ({ body: { content: 'A loaf of bread', instruction: 'tone' as const, tone: 'warm' } }),
  'ai.transcribe': async (kit) => ({ body: { mediaId: (await uploadVideo(kit)).id, language: 'en-US' } }),
  'application.createToken': async (kit) => {
    await applicationOnce(kit)
    return { body: { name: 'Backend' } }
  },
  'application.createWorkspace': async (kit) => {
    await applicationOnce(kit)
    return {
      body: {
        name: `Customer ${random62(6)}`,
        timezone: 'UTC',
        externalId: `customer-${random62(6)}`,
        brandColor: '#00695c',
        quotas: { drafts: 500 },
      },
    }
  },
  'application.get': async (kit) => {
    await applicationOnce(kit)
    return {}
  },
  'application.listTokens': async (kit) => {
    await makeApplicationToken(kit)
    return {}
  },
  'application.listWorkspaces': async (kit) => {
    await makeChild(kit)
    return { query: { limit: '2' } }
  },
  'application.register': async (kit) => ({ ...(await workspaceFor(kit)), body: { name: 'Planner' } }),
  'application.remove': (kit) => makeRemovable(kit),
  'application.revokeToken': async (kit) => of(await makeApplicationToken(kit)),
  'application.update': async (kit) => {
    await applicationOnce(kit)
    return { body: { name: 'Better planner', logo: null, brandColor: '#00695c' } }
  },
  'application.updateWorkspace': async (kit) => ({ ...of(await makeChild(kit)), body: { callsPerMinute: 60 } }),
  'auth.changePassword': async (kit) => {
    const { token } = await makeSignedIn(kit)
    return { token, body: { currentPassword: password, newPassword: 'another good password' } }
  },
  'auth.confirmTwoFactor': async (kit) => {
    const { token } = await makeSignedIn(kit)
    const { secret } = await client({ baseUrl: kit.url, token }).auth.enrollTwoFactor({ body: { password } })
    return { token, body: { code: totpCode(secret, kit.clock.now()) } }
  },
  'auth.deleteAccount': async (kit) => {
    const { token, nextCode } = await makeTwoFactor(kit)
    const { id } = await client({ baseUrl: kit.url, token }).workspaces.create({
      body: { name: 'Ends with it', timezone: 'UTC' },
    })
    return { token, body: { password, code: nextCode(), deleteWorkspaces: [id] } }
  },
  'auth.disableTwoFactor': async (kit) => {
    const { token, nextCode } = await makeTwoFactor(kit)
    return { token, body: { password, code: nextCode() } }
  },
  'auth.enrollTwoFactor': async (kit) => ({ token: (await makeSignedIn(kit)).token, body: { password } }),
  'auth.getSession': () => ({}),
  'auth.listSessions': () => ({ query: { limit: '2' } }),
  'auth.previewDeletion': () => ({}),
  'auth.replaceRecoveryCodes': async (kit) => {
    const { token, nextCode } = await makeTwoFactor(kit)
    return { token, body: { password, code: nextCode() } }
  },
  'auth.requestPasswordReset': async (kit) => ({ body: { email: (await makePerson(kit)).email } }),
  'auth.resendVerification': async (kit) => ({ body: { email: (await signUp(kit)).email } }),
  'auth.resetPassword': async (kit) => ({
    body: { token: await requestReset(kit), newPassword: 'another good password' },
  }),
  'auth.revokeOtherSessions': async (kit) => ({ token: (await makeSignedIn(kit)).token }),
  'auth.revokeSession': async (kit) => of((await openAnother(kit)).session),
  'auth.signIn': async (kit) => ({ body: await makePerson(kit) }),
  'auth.signOut': async (kit) => ({ token: await makeSession(kit) }),
  'auth.signUp': () => ({ body: { email: 'newcomer@mail.test', password, name: 'New' } }),
  'auth.verifyEmail': async (kit) => ({ query: { token: (await signUp(kit)).token } }),
  'billing.cancel': (kit) => payer(kit),
  'billing.change': async (kit) => ({ ...(await payer(kit)), body: { planId: 'team' } }),
  'billing.checkout': () => ({ body: { planId: 'team' } }),
  'billing.get': () => ({}),
  'billing.portal': (kit) => payer(kit),
  'billing.resume': (kit) => payer(kit),
  'billing.stripeWebhook': (kit) => {
    const { body: rawBody, signature } = stripeEvent(kit)
    return { rawBody, headers: { 'Stripe-Signature': signature } }
  },
  'cli.createToken': ({ workspaceId }) => ({ body: { name: 'ci', workspaceId, scopes: ['posts:read'] } }),
  'cli.listTokens': () => ({}),
  'cli.pollDeviceLogin': async (kit) => ({ body: { deviceCode: await approveDevice(kit) } }),
  'cli.revokeToken': async ({ sessionApi, workspaceId }) =>
    of(await sessionApi.cli.createToken({ body: { name: 'short', workspaceId } })),
  'cli.startDeviceLogin': () => ({ body: { clientName: 'social-cli' } }),
  'drafts.create': async (kit) => ({ body: await draftBody(kit) }),
  'drafts.list': () => ({ query: { limit: '2' } }),
  'drafts.update': async (kit) => ({ ...of(await makeDraft(kit)), body: { content: 'Better words', name: null } }),
  'media.complete': async (kit) => ({ body: await upload(kit) }),
  'media.create': () => ({ body: { content: pixel.toString('base64'), filename: 'pixel.png', altText: 'A dot' } }),
  'media.createUploadUrl': () => ({ body: { filename: 'pixel.png', ...picture } }),
  'media.delete': async (kit) => ({ ...of(await makeAsset(kit)), query: { force: 'true' } }),
  'media.update': async (kit) => ({ ...of(await makeAsset(kit)), body: { altText: 'A dot' } }),
  'media.list': () => ({ query: { limit: '2' } }),
  'memory.create': async (kit) => ({ body: { text: 'A thought', collectionId: (await makeCollection(kit)).id } }),
  'memory.createCollection': () => ({ body: { name: 'Ideas', color: 'teal', isPrivate: true } }),
  'memory.delete': async (kit) => {
    const { id, collectionId } = await makeMemory(kit)
    return { ...of({ id }), body: { collectionId } }
  },
  'memory.deleteCollection': async (kit) => of({ id: (await makeMemory(kit)).collectionId }),
  'memory.list': async (kit) => ({ query: { collectionId: (await makeMemory(kit)).collectionId, limit: '2' } }),
  'memory.listCollections': () => ({ query: { limit: '2' } }),
  'memory.search': async (kit) => {
    const { text, collectionId } = await makeMemory(kit)
    return { body: { prompt: text, collectionIds: [collectionId] } }
  },
  'memory.updateCollection': async (kit) => ({ ...of(await makeCollection(kit)), body: { name: 'Better ideas' } }),
  'meta.docs': () => ({}),
  'meta.docsViewer': () => ({}),
  'meta.errorCode': () => ({ params: { code: 'post_not_found' } }),
  'meta.guide': () => ({ params: { name: 'webhooks' } }),
  'meta.llms': () => ({}),
  'meta.llmsFull': () => ({}),
  'meta.health': () => ({}),
  'meta.openapi': () => ({}),
  'notifications.deleteDevice': async (kit) => of(await makeDevice(kit)),
  'notifications.getSettings': () => ({}),
  'notifications.listDevices': () => ({ query: { limit: '2' } }),
  'notifications.registerDevice': () => ({ body: phone() }),
  'notifications.sendTest': async (kit) => ({ body: { title: 'Hello', deviceId: (await makeDevice(kit)).id } }),
  'notifications.status': () => ({}),
  'notifications.updateSettings': () => ({ body: { 'post.publish_failed': { mail: false } } }),
  'platforms.list': () => ({}),
  'posts.calendar': () => ({ query: { from: '2026-12-01', to: '2026-12-31' } }),
  'posts.getStatistics': () => ({}),
  'posts.list': () => ({ query: { limit: '2', status: 'scheduled' } }),
  'posts.publishNow': ({ accounts }) => ({
    body: { socialAccountIds: [accounts.bluesky], content: `At once ${random62(6)}` },
  }),
  'posts.publishThreadNow': async (kit) => ({ body: await threadBody(kit, 'At once') }),
  'posts.reschedule': async (kit) => ({ ...of(await makePost(kit)), body: { scheduledAt: at(kit, 90 * minuteMs) } }),
  'posts.schedule': (kit) => ({ body: postBody(kit, `Later ${random62(6)}`) }),
  'posts.scheduleThread': async (kit) => ({
    body: { ...(await threadBody(kit, 'Later')), scheduledAt: at(kit, 60 * minuteMs) },
  }),
  'posts.update': async (kit) => ({
    ...of(await makePost(kit)),
    body: { content: 'Better words', externalId: 'order-7' },
  }),
  'posts.validate': (kit) => ({ body: { ...postBody(kit, 'Perhaps'), metadata: {} } }),
  'posts.xCapUsage': () => ({}),
  'socialAccounts.callback': async (kit) => ({ params: { platform: 'discord' }, ...(await installBot(kit)) }),
  'socialAccounts.connect': () => ({ params: { platform: 'discord' }, body: { externalId: 'customer-42' } }),
  'socialAccounts.createBlueskyLink': () => ({ body: { externalId: 'customer-42' } }),
  'socialAccounts.createWordpressLink': () => ({ body: { externalId: 'customer-42' } }),
  'socialAccounts.createConnectionsLink': () => ({ body: { externalId: 'customer-42' } }),
  'socialAccounts.createLink': () => ({ body: { externalId: 'customer-42', platforms: ['x', 'bluesky'] } }),
  'socialAccounts.createNostrLink': () => ({ body: { externalId: 'customer-42' } }),
  'socialAccounts.disconnect': async (kit) => of({ id: await connectAnother(kit) }),
  'socialAccounts.connectBluesky': () => ({ body: newBlueskyLogin }),
  'socialAccounts.connectNostr': () => ({ body: { secretKey: nostrSeed.people[1].nsec } }),
  'socialAccounts.connectWordpress': () => ({ body: newWordPressLogin }),
  'socialAccounts.discordChannels': ({ accounts }) => ({ query: { socialAccountId: accounts.discord } }),
  'socialAccounts.createPinterestBoard': async (kit) => ({
    body: { name: `Board ${random62(6)}`, socialAccountId: await connectOnce(kit, 'pinterest') },
  }),
  'socialAccounts.list': () => ({}),
  'socialAccounts.pinterestBoards': async (kit) => ({
    query: { socialAccountId: await connectOnce(kit, 'pinterest') },
  }),
  'socialAccounts.redditFlairOptions': async (kit) => ({
    query: { subreddit: 'flaired', socialAccountId: await connectOnce(kit, 'reddit') },
  }),
  'socialAccounts.redditPostRequirements': async (kit) => ({
    query: { subreddit: 'flaired', socialAccountId: await connectOnce(kit, 'reddit') },
  }),
  'socialAccounts.revokeLink': async ({ api }) =>
    of(await api.socialAccounts.connect({ params: { platform: 'discord' } })),
  'socialAccounts.serverCallback': async (kit) => ({
    params: { platform: 'mastodon', server: mastodonSeed.server },
    ...(await logIn(kit, { params: { platform: 'mastodon' }, body: { server: mastodonSeed.server } })),
  }),
  'socialAccounts.slackChannels': async (kit) => ({
    query: { socialAccountId: await connectOnce(kit, 'slack', rotatingTeam) },
  }),
  'socialAccounts.update': ({ accounts }) => ({
    ...of({ id: accounts.bluesky }),
    body: { externalId: `customer-${random62(6)}` },
  }),
  'team.acceptInvitation': async (kit) => {
    const { guest, token } = await inviteGuest(kit)
    return { token: guest.session, body: { token } }
  },
  'team.changeRole': async (kit) => ({ ...(await ofMember(kit)), body: { role: 'admin' } }),
  'team.invite': ({ workspaceId }) => ({ ...of({ id: workspaceId }), body: { email: 'guest@mail.test' } }),
  // The member goes, not the seed's person.
  'team.leave': async (kit) => ({ ...of({ id: kit.workspaceId }), token: (await makeMember(kit)).session }),
  'team.listInvitations': ({ workspaceId }) => of({ id: workspaceId }),
  'team.listMembers': ({ workspaceId }) => ({ ...of({ id: workspaceId }), query: { limit: '2' } }),
  'team.reactivate': (kit) => ofMember(kit, 'suspended'),
  'team.remove': (kit) => ofMember(kit),
  'team.revokeInvitation': async (kit) => {
    const { invitation } = await inviteGuest(kit)
    return { params: { id: kit.workspaceId, invitationId: invitation.id } }
  },
  'team.suspend': (kit) => ofMember(kit),
  'team.transferOwnership': async (kit) => ({
    ...of({ id: kit.workspaceId }),
    // By a separate owner, so that the seed's user stays the owner.
    token: (await makeMember(kit, 'owner')).session,
    body: { userId: (await makeMember(kit)).userId },
  }),
  'webhooks.create': (kit) => ({ body: hookBody(kit, 'made') }),
  'webhooks.get': async (kit) => of(await hookOnce(kit, 'told')),
  'webhooks.getDelivery': async (kit) => ofDelivery(await makeDelivery(kit)),
  'webhooks.getReplay': async (kit) => ({ params: { replayId: await makeReplay(kit) } }),
  'webhooks.getStatistics': () => ({}),
  'webhooks.list': () => ({}),
  'webhooks.listDeliveries': async (kit) => {
    const hook = await makeHook(kit, 'tested')
    await kit.sessionApi.webhooks.sendTest(of(hook))
    return { ...of(hook), query: { status: 'pending' } }
  },
  'webhooks.listEventLog': () => ({ query: { limit: '2', types: 'post.scheduled,post.published' } }),
  'webhooks.listEvents': () => ({}),
  'webhooks.redeliver': async (kit) => ofDelivery(await makeDelivery(kit)),
  'webhooks.replay': replayOf,
  'webhooks.rotateSecret': async (kit) => ({ ...of(await makeHook(kit)), body: { expireOldInSeconds: 60 } }),
  'webhooks.update': async (kit) => ({ ...of(await makeHook(kit)), body: { url: hookBody(kit, 'moved').url } }),
  'workspaces.create': () => ({ body: { name: 'Third' } }),
  'workspaces.createExportLink': async (kit) => ({ params: await makeExport(kit) }),
  'workspaces.delete': async (kit) => {
    const { id, slug } = await makeWorkspace(kit)
    return { ...of({ id }), workspaceId: id, query: { confirm: slug } }
  },
  'workspaces.downloadExport': async (kit) => {
    const { id, exportId } = await makeExport(kit)
    const { url } = await kit.sessionApi.workspaces.createExportLink({ params: { id, exportId } })
    return { params: { exportId }, query: { token: new URL(url).searchParams.get('token') ?? '' } }
  },
  'workspaces.export': async (kit) => {
    const { id } = await makeWorkspace(kit)
    return { ...of({ id }), workspaceId: id }
  },
  'workspaces.get': ({ workspaceId }) => of({ id: workspaceId }),
  'workspaces.getExport': async (kit) => ({ params: await makeExport(kit) }),
  'workspaces.getVoice': ({ workspaceId }) => of({ id: workspaceId }),
  'workspaces.list': () => ({}),
  'workspaces.listAudit': ({ workspaceId }) => of({ id: workspaceId }),
  'workspaces.listConnections': async (kit) => {
    await makeConnection(kit)
    return { ...of({ id: kit.workspaceId }), query: { limit: '2' } }
  },
  'workspaces.listExports': ({ workspaceId }) => of({ id: workspaceId }),
  'workspaces.listQuotas': ({ workspaceId }) => of({ id: workspaceId }),
  'workspaces.revokeConnection': async (kit) => ({
    params: { id: kit.workspaceId, connectionId: await makeConnection(kit) },
  }),
  'workspaces.update': ({ workspaceId }) => ({ ...of({ id: workspaceId }), body: { timezone: 'Europe/Berlin' } }),
  'workspaces.updateVoice': ({ workspaceId }) => ({ ...of({ id: workspaceId }), body: { tone: 'warm' } }),
}

/** Operations of the table without a call here, and calls without an operation. */
export const uncalled = (): string[] => {
  const operations = routes.map(({ operation }) => operation)
  return [
    ...routes
      .filter((route) => calls[route.operation] === undefined && makerOf(route) === undefined)
      .map(({ operation }) => operation),
    ...Object.keys(calls).filter((operation) => !operations.includes(operation)),
  ]
}

/** Who may call a route: the seed's token where one may, else the seed's session; inside the seed's workspace. */
const callerOf = ({ endpoint }: Route, { pat, sessionToken, workspaceId }: Kit): Call => {
  const { access } = endpoint.contract
  if (access.kind === 'anyone') return {}
  const token = access.scope === null ? sessionToken : pat
  return access.kind === 'workspace' ? { token, workspaceId } : { token }
}

/** A call that succeeds, once. */
export const happyCall = async (route: Route, kit: Kit): Promise<Call> => ({
  ...callerOf(route, kit),
  ...(await (calls[route.operation]?.(kit) ?? aboutSubject(route, kit))),
})
