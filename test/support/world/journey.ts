import { client } from '../../../functions/client.ts'
import { pages, routes } from '../../../functions/routes.ts'
import { eventTypes } from '../../../shared/events/types.ts'
import { connected, refreshed, requestOf, tokenCall } from '../../oauth/assistant.ts'
import { browserOf } from '../../pages/test-browser.ts'
import type { Kit } from '../start.ts'
import { writeInTrouble } from './ai-walk.ts'
import { callRoute } from './ask.ts'
import { deleteMember } from './deletion-walk.ts'
import { exportEverywhere } from './export-walk.ts'
import { completeLie, completeNothing, leaveFiles } from './files-walk.ts'
import { happyCall } from './happy-calls.ts'
import { importEverywhere } from './import-walk.ts'
import { planWithOldTokens, readWithExpiredTokens } from './old-tokens-walk.ts'
import { operate } from './operator-walk.ts'
import { happyVisit } from './page-visits.ts'
import { blueskyLogin, makeHook, makeTwoFactor, minuteMs, phone } from './preparations.ts'
import { commentOnPosts, deleteLivePosts, editLivePosts, publishEverywhere, publishThreads } from './publish-walk.ts'
import { searchEverywhere } from './search-walk.ts'
import { nameServers } from './server-walk.ts'
import { failToPay } from './subscribers.ts'
import { callEveryTool } from './tool-calls.ts'
import type { Traveller } from './traveller.ts'
import { loseMessages, meetTrouble } from './trouble-walk.ts'
import { replayEvents, wearOut } from './webhooks-walk.ts'

/** Every route once, when all is well. */
const callEverything = async (kit: Kit) => {
  for (const route of routes) {
    // What creates something remembers its answer.
    const call = await happyCall(route, kit)
    const headers = { ...call.headers, 'Idempotency-Key': route.name }
    const { status, text } = await callRoute(kit.url, route, { ...call, headers })
    if (status !== route.endpoint.contract.status) throw new Error(`${route.operation} answers ${status}: ${text}`)
  }
}

/** An assistant is connected, refreshes, and gives its token back; another one has no document. */
const useAssistants = async (kit: Kit) => {
  const assistant = await connected(kit)
  await refreshed(kit, assistant, assistant.refreshToken)
  await tokenCall(kit, { client_id: assistant.client.client_id, token: assistant.refreshToken }, '/api/oauth/revoke')
  await fetch(`${kit.url}/.well-known/oauth-protected-resource`)
  const strange = { client_id: 'https://assistant.invalid/client.json' }
  const { path } = await requestOf(kit, assistant, strange)
  const browser = browserOf(kit, kit.sessionToken)
  const page = await browser.open((await requestOf(kit, assistant)).path)
  await browser.open(path)
  await browser.submit(page, 'authorize', { ...strange, answer: 'deny' })
  await callEveryTool(kit)
}

/** Health that looks at the table, too. */
const lookDeeply = async (kit: Kit) => {
  await client({ baseUrl: kit.url }).meta.health({ query: { deep: 'true' } })
}

/** The list of posts by its indexes. */
const filterPosts = async (kit: Kit) => {
  for (const status of ['scheduled', 'failed'] as const) await kit.api.posts.list({ query: { status } })
  await kit.api.posts.list({ query: { socialAccountId: kit.accounts.bluesky } })
  await kit.api.posts.list({ query: { externalId: 'order-7' } })
  await kit.api.posts.list({ query: { sort: 'scheduledAt' } })
}

/** Every page once. */
const visitEverything = async (kit: Kit) => {
  for (const { operation } of pages) {
    const visit = await happyVisit(operation, kit)
    const { status, text } = await visit()
    if (status >= 400) throw new Error(`${operation} answers ${status}: ${text}`)
  }
}

/** Pages that lead on: who is signed in to their workspaces, a platform with a browser login to its own page, Bluesky's form by a choice, and the login that the console begins. */
const followPages = async (kit: Kit) => {
  const someone = browserOf(kit, kit.sessionToken)
  await someone.open('/')
  await someone.open('/login')
  const page = await someone.open(`/workspace?id=${kit.workspaceId}`)
  const { to } = await someone.submit(page, 'workspace-connect', { platform: 'discord' })
  if (to === undefined) throw new Error(`the page does not lead on: ${page.heading}`)
  const { authorizeUrl } = await kit.sessionApi.socialAccounts.createLink()
  const chosen = await someone.submit(await someone.open(authorizeUrl), 'connect-accounts', { platform: 'bluesky' })
  if (chosen.to === undefined) throw new Error(`no platform is chosen: ${chosen.text}`)
  const form = await someone.open(chosen.to)
  const sent = await someone.submit(form, 'connect-accounts', blueskyLogin)
  if (sent.to === undefined) throw new Error(`nothing is connected: ${sent.text}`)
  await someone.open(sent.to)
  const redirectUrl = `${kit.url}/console`
  const own = await kit.sessionApi.socialAccounts.createLink({ body: { platforms: ['x'], redirectUrl } })
  await someone.open(own.authorizeUrl)
}

/** Sign-ins from a new location, with a second factor: by a program and on the page. */
const signInWithCodes = async (kit: Kit) => {
  const { email, password, nextCode } = await makeTwoFactor(kit)
  await client({ baseUrl: kit.url }).auth.signIn({ body: { email, password, code: nextCode() } })
  const another = await makeTwoFactor(kit)
  const someone = browserOf(kit)
  const loginPage = await someone.send('/login', { email: another.email, password: another.password })
  const { to } = await someone.submit(loginPage, 'login', { code: another.recoveryCodes[0] ?? '' })
  if (to !== '/console') throw new Error(`the page repeats its question: ${loginPage.heading}`)
  await kit.service.drain()
}

/** Messages to an app and a browser, of which one waits for its receipt and the other is lost on the way. */
const notifyDevices = async ({ kit, losing }: Traveller) => {
  await kit.sessionApi.notifications.registerDevice({ body: phone() })
  await losing([{ functionName: 'notifications-send-test', queue: 'notify' }], () =>
    kit.sessionApi.notifications.sendTest({ body: {} }),
  )
  await kit.service.pass(20 * minuteMs, { tickMinutes: 5 })
}

/** Walks through all that the service does, its accidents included. It fetches from `http://127.0.0.1:*`. */
export const walkEverywhere = async (traveller: Traveller): Promise<void> => {
  const { kit } = traveller
  await makeHook(kit, 'everything', [...eventTypes])
  await callEverything(kit)
  await visitEverything(kit)
  await useAssistants(kit)
  await lookDeeply(kit)
  await filterPosts(kit)
  await signInWithCodes(kit)
  await followPages(kit)
  await nameServers(kit)
  await readWithExpiredTokens(kit)
  await planWithOldTokens(kit)
  await completeLie(kit)
  await completeNothing(kit)
  await leaveFiles(traveller)
  await searchEverywhere(kit)
  await operate(kit)
  await publishEverywhere(kit)
  await publishThreads(kit)
  await commentOnPosts(kit)
  await deleteLivePosts(kit)
  await editLivePosts(kit)
  await notifyDevices(traveller)
  await exportEverywhere(traveller)
  await importEverywhere(traveller)
  await deleteMember(kit)
  await wearOut(kit)
  await replayEvents(traveller)
  await writeInTrouble(traveller)
  await loseMessages(traveller)
  await meetTrouble(kit)
  await failToPay(kit)
}
