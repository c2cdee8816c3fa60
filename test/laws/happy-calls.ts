import { type Route, routes } from '../../functions/routes.ts'
import type { Kit } from '../support/start.ts'
import type { Call } from './ask.ts'
import {
  blueskyLogin,
  hookBody,
  installBot,
  makeAsset,
  makeHook,
  makePerson,
  makePost,
  makeSession,
  minuteMs,
  password,
  picture,
  postBody,
  signUp,
  upload,
} from './preparations.ts'

const at = ({ clock }: Kit, inMs: number) => new Date(clock.now() + inMs).toISOString()
const of = ({ id }: { id: string }) => ({ params: { id } })

/** For each operation how it is called when all is well; what a call uses up is made for it alone. */
const calls: Readonly<Record<string, (kit: Kit) => Call | Promise<Call>>> = {
  'auth.getSession': () => ({}),
  'auth.signIn': async (kit) => ({ body: await makePerson(kit) }),
  'auth.signOut': async (kit) => ({ token: await makeSession(kit) }),
  'auth.signUp': () => ({ body: { email: 'newcomer@mail.test', password, name: 'New' } }),
  'auth.verifyEmail': async (kit) => ({ query: { token: (await signUp(kit)).token } }),
  'cli.createToken': ({ workspaceId }) => ({ body: { name: 'ci', workspaceId, scopes: ['posts:read'] } }),
  'cli.listTokens': () => ({}),
  'cli.revokeToken': async ({ sessionApi, workspaceId }) =>
    of(await sessionApi.cli.createToken({ body: { name: 'short', workspaceId } })),
  'media.complete': async (kit) => ({ body: await upload(kit) }),
  'media.createUploadUrl': () => ({ body: { filename: 'pixel.png', ...picture } }),
  'media.delete': async (kit) => ({ ...of(await makeAsset(kit)), query: { force: 'true' } }),
  'media.get': async (kit) => of(await makeAsset(kit)),
  'media.list': () => ({ query: { limit: '2' } }),
  'meta.docs': () => ({}),
  'meta.docsViewer': () => ({}),
  'meta.health': () => ({}),
  'meta.openapi': () => ({}),
  'posts.cancel': async (kit) => of(await makePost(kit)),
  'posts.delete': async (kit) => of(await makePost(kit)),
  'posts.get': async (kit) => of(await makePost(kit)),
  'posts.list': () => ({ query: { limit: '2', status: 'scheduled' } }),
  'posts.publishNow': ({ accounts }) => ({ body: { socialAccountIds: [accounts.bluesky], content: 'At once' } }),
  'posts.reschedule': async (kit) => ({ ...of(await makePost(kit)), body: { scheduledAt: at(kit, 90 * minuteMs) } }),
  'posts.schedule': (kit) => ({ body: postBody(kit, 'Later') }),
  'posts.validate': (kit) => ({ body: { ...postBody(kit, 'Perhaps'), metadata: {} } }),
  'socialAccounts.connectBluesky': () => ({ body: blueskyLogin }),
  'socialAccounts.connectDiscord': () => ({}),
  'socialAccounts.discordCallback': async (kit) => ({ query: await installBot(kit) }),
  'socialAccounts.discordChannels': ({ accounts }) => ({ query: { socialAccountId: accounts.discord } }),
  'socialAccounts.list': () => ({}),
  'webhooks.create': (kit) => ({ body: hookBody(kit, 'made') }),
  'webhooks.delete': async (kit) => of(await makeHook(kit)),
  'webhooks.get': async (kit) => of(await makeHook(kit)),
  'webhooks.list': () => ({}),
  'webhooks.listDeliveries': async (kit) => {
    const hook = await makeHook(kit, 'tested')
    await kit.sessionApi.webhooks.sendTest(of(hook))
    return { ...of(hook), query: { status: 'pending' } }
  },
  'webhooks.listEvents': () => ({}),
  'webhooks.rotateSecret': async (kit) => ({ ...of(await makeHook(kit)), body: { expireOldInSeconds: 60 } }),
  'webhooks.sendTest': async (kit) => of(await makeHook(kit)),
  'webhooks.update': async (kit) => ({ ...of(await makeHook(kit)), body: { url: hookBody(kit, 'moved').url } }),
  'workspaces.create': () => ({ body: { name: 'Third' } }),
  'workspaces.get': ({ workspaceId }) => of({ id: workspaceId }),
  'workspaces.list': () => ({}),
}

/** Operations of the table without a call here, and calls without an operation. */
export const uncalled = (): string[] => {
  const operations = routes.map(({ operation }) => operation)
  return [
    ...operations.filter((operation) => calls[operation] === undefined),
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
  ...(await calls[route.operation]?.(kit)),
})
