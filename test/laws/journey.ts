import { client } from '../../functions/client.ts'
import { pages, routes } from '../../functions/routes.ts'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import { transact } from '../../shared/db/table.ts'
import { eventTypes } from '../../shared/events/types.ts'
import { removal } from '../../shared/media/job-transitions.ts'
import { connectedAssistant } from '../mcp/assistant.ts'
import { connected, refreshed, requestOf, tokenCall } from '../oauth/assistant.ts'
import { browserOf } from '../pages/test-browser.ts'
import { connectOn } from '../support/connect.ts'
import type { Kit } from '../support/start.ts'
import { ask } from './ask.ts'
import { deleteMember } from './deletion-walk.ts'
import { exportEverywhere } from './export-walk.ts'
import { happyCall } from './happy-calls.ts'
import { importEverywhere } from './import-walk.ts'
import { happyVisit } from './page-visits.ts'
import {
  blueskyLogin,
  channelId,
  connectAnother,
  connectOnce,
  failToPay,
  heavyPixel,
  hookOnce,
  makeAsset,
  makeHook,
  makePost,
  makeTwoFactor,
  makeWorkspace,
  minuteMs,
  phone,
  picture,
  postBody,
  threadBody,
  upload,
} from './preparations.ts'
import { searchEverywhere } from './search-walk.ts'
import { callEveryTool, happyTool } from './tool-calls.ts'

/** Loses what a function sends to a queue, until it is told to stop. */
interface Loss {
  functionName: string
  queue: string
}

export interface Traveller {
  kit: Kit
  /** What gets lost while a step of the journey is made. */
  losing: (losses: readonly Loss[], step: () => Promise<unknown>) => Promise<void>
}

const at = ({ clock }: Kit, inMs: number) => new Date(clock.now() + inMs).toISOString()

/** Every route once, when all is well. */
const callEverything = async (kit: Kit) => {
  for (const route of routes) {
    // What creates something remembers its answer.
    const call = await happyCall(route, kit)
    const headers = { ...call.headers, 'Idempotency-Key': route.name }
    const { status, text } = await ask(kit.url, route, { ...call, headers })
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
  await kit.api.posts.list({ query: { status: 'scheduled' } })
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

/** Pages that lead on: who is signed in to their workspaces, a platform with a browser login to its own page, and Bluesky's form. */
const followPages = async (kit: Kit) => {
  const someone = browserOf(kit, kit.sessionToken)
  await someone.open('/')
  await someone.open('/login')
  const page = await someone.open(`/workspace?id=${kit.workspaceId}`)
  const { to } = await someone.submit(page, 'workspace-connect', { platform: 'discord' })
  if (to === undefined) throw new Error(`the page does not lead on: ${page.heading}`)
  const { authorizeUrl } = await kit.sessionApi.socialAccounts.createBlueskyLink()
  const form = await someone.open(authorizeUrl)
  const sent = await someone.submit(form, 'connect-accounts', blueskyLogin)
  if (sent.to === undefined) throw new Error(`nothing is connected: ${sent.text}`)
  await someone.open(sent.to)
}

/** Sign-ins from a place that is new, with a second factor: by a program and on the page. */
const signInWithCodes = async (kit: Kit) => {
  const { email, password, nextCode } = await makeTwoFactor(kit)
  await client({ baseUrl: kit.url }).auth.signIn({ body: { email, password, code: nextCode() } })
  const another = await makeTwoFactor(kit)
  const someone = browserOf(kit)
  const asked = await someone.send('/login', { email: another.email, password: another.password })
  const { to } = await someone.submit(asked, 'login', { code: another.recoveryCodes[0] ?? '' })
  if (to !== '/workspaces') throw new Error(`the page asks again: ${asked.heading}`)
  await kit.service.drain()
}

const dueSoonMs = 2_000
const dueByQueueMs = 10 * minuteMs
const dueByScheduleMs = 16 * minuteMs
const dueMoments = [dueSoonMs, dueByQueueMs, dueByScheduleMs]

/** With and without pictures, at once and later, moved and not. */
const publishEverywhere = async (kit: Kit) => {
  const mediaUrls = [(await makeAsset(kit)).id]
  const { api } = kit
  for (const inMs of dueMoments) {
    // A new one each time: what was converted is found again.
    const { id } = await makeAsset(kit, heavyPixel)
    await api.posts.schedule({ body: { ...postBody(kit, `In ${inMs}`, inMs), mediaUrls: [...mediaUrls, id] } })
  }
  for (const inMs of dueMoments) {
    const { id } = await makePost(kit, `Moved by ${inMs}`, dueByScheduleMs)
    await api.posts.reschedule({ params: { id }, body: { scheduledAt: at(kit, inMs) } })
    const { id: another } = await makePost(kit, `Updated for ${inMs}`, dueByScheduleMs)
    // Equal times would change nothing.
    await api.posts.update({ params: { id: another }, body: { scheduledAt: at(kit, inMs + 500) } })
  }
  const { scheduledAt: _, ...now } = { ...postBody(kit, 'Now'), mediaUrls }
  await api.posts.publishNow({ body: now })
  // A natural delay is drawn; of four, one is certainly long enough for the queue that prepares.
  for (let n = 0; n < 4; n += 1) await api.posts.publishNow({ body: { ...now, naturalPosting: true } })
  await kit.service.pass(20 * minuteMs, { tickMinutes: 5 })
}

const faults: readonly FaultInput[] = [
  { platform: 'bluesky', operation: 'upload', times: 1, fault: 'html_503' },
  { platform: 'bluesky', operation: 'create', times: 1, fault: 'html_503' },
  { platform: 'bluesky', operation: 'create', times: 1, fault: 'landed_then_reset' },
  { platform: 'bluesky', operation: 'create', times: 1, fault: 'rate_limited' },
  { platform: 'discord', operation: 'create', times: 1, fault: 'landed_then_reset' },
  { platform: 'discord', operation: 'create', times: 1, fault: 'html_503' },
]

/** Trouble at platforms and receivers, credentials that have run out, and an account that is lost in the end. */
const meetTrouble = async (kit: Kit) => {
  kit.inbox.behaviours.add({ name: 'everything', times: 3, status: 503 })
  for (const fault of faults) {
    kit.platforms.faults.add(fault)
    await kit.api.posts.schedule({ body: postBody(kit, `After ${fault.fault} at ${fault.platform}`, minuteMs) })
    await kit.service.pass(8 * minuteMs, { tickMinutes: 2 })
  }
  kit.clock.pass(3 * 60 * minuteMs)
  await makePost(kit, 'With fresh credentials', dueByQueueMs)
  await kit.service.pass(12 * minuteMs, { tickMinutes: 5 })
  kit.platforms.faults.add({ platform: 'bluesky', operation: '*', times: 4, fault: 'token_revoked' })
  await makePost(kit, 'By a lost account', minuteMs)
  await kit.service.pass(3 * minuteMs)
  kit.platforms.faults.clear()
  // Of X the operator's app gives the connection back.
  const account = await connectOn(kit, 'x')
  await kit.sessionApi.socialAccounts.disconnect({ params: { id: account } })
  // Another account is lost while nobody publishes with it for two months.
  await connectAnother(kit)
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'refresh', times: 4, fault: 'token_revoked' })
  kit.clock.pass(61 * 24 * 60 * minuteMs)
  await kit.service.pass(2 * minuteMs)
  kit.platforms.faults.clear()
}

/** Messages that never arrive: the sweeper must find the work by its rows. */
const loseMessages = async ({ kit, losing }: Traveller) => {
  const toDiscord = {
    ...postBody(kit, 'BatchRows again'),
    socialAccountIds: [kit.accounts.discord],
    metadata: { discord: { channelId } },
  }
  const hook = await makeHook(kit, 'forgotten')
  const lost = ['prepare', 'publish-discord', 'events'].map((queue) => ({ functionName: 'posts-schedule', queue }))
  const workspace = await makeWorkspace(kit)
  lost.push({ functionName: 'workspaces-delete', queue: 'purge' })
  await losing([...lost, { functionName: 'webhooks-send-test', queue: 'deliver' }], async () => {
    for (const inMs of [dueSoonMs, dueByQueueMs]) {
      await kit.api.posts.schedule({ body: { ...toDiscord, scheduledAt: at(kit, inMs) } })
    }
    await kit.sessionApi.webhooks.sendTest({ params: { id: hook.id } })
    const { id, slug } = workspace
    await workspace.api.workspaces.delete({ params: { id }, query: { confirm: slug } })
  })
  await kit.service.pass(12 * minuteMs)
}

/** A preview that nobody was told of, and a deleted file that stayed behind when the bucket was away. */
const leaveFiles = async ({ kit, losing }: Traveller) => {
  const { id: heavy } = await makeAsset(kit, heavyPixel)
  await losing([{ functionName: 'posts-schedule', queue: 'prepare' }], () =>
    kit.api.posts.schedule({ body: { ...postBody(kit, 'Not converted', dueSoonMs), mediaUrls: [heavy] } }),
  )
  await kit.service.pass(3 * minuteMs)
  await losing([{ functionName: 'media-complete', queue: 'preview' }], () => makeAsset(kit))
  const { id, storageKey } = await makeAsset(kit)
  await transact(kit.ctx, () => [removal({ workspaceId: kit.workspaceId, id, storageKey }, kit.clock.now())])
  await kit.service.pass(2 * minuteMs)
}

/** A file that is not what was said of it. */
const completeLie = async (kit: Kit) => {
  const { fileSize } = await upload(kit)
  const body = await upload(kit, new Uint8Array(fileSize))
  await kit.api.media.complete({ body }).then(
    () => Promise.reject(new Error('a file of zeros was taken for a picture')),
    () => undefined,
  )
}

/** An upload that never arrived. */
const completeNothing = async (kit: Kit) => {
  const facts = { ...picture, originalFilename: 'pixel.png' }
  const { storageKey } = await kit.api.media.createUploadUrl({ body: { filename: 'pixel.png', ...picture } })
  await kit.api.media.complete({ body: { storageKey, ...facts } }).then(
    () => Promise.reject(new Error('a file that never arrived was taken for a picture')),
    () => undefined,
  )
}

/** What helpers ask, and how stand-ins call it. */
const questions: readonly { operation: string; platform: string; asks: string }[] = [
  { operation: 'socialAccounts.createPinterestBoard', platform: 'pinterest', asks: 'makeBoard' },
  { operation: 'socialAccounts.pinterestBoards', platform: 'pinterest', asks: 'boards' },
  { operation: 'socialAccounts.redditFlairOptions', platform: 'reddit', asks: 'flairs' },
  { operation: 'socialAccounts.redditPostRequirements', platform: 'reddit', asks: 'requirements' },
  { operation: 'socialAccounts.slackChannels', platform: 'slack', asks: 'channels' },
]

/** Lists are asked for with tokens that have ended: they are refreshed on the way. */
const askWithOldTokens = async (kit: Kit) => {
  kit.clock.pass(6 * minuteMs)
  for (const { operation, platform, asks } of questions) {
    const route = routes.find((one) => one.operation === operation)
    if (route === undefined) throw new Error(`there is no ${operation}`)
    kit.platforms.faults.add({ platform, operation: asks, times: 1, fault: 'token_revoked' })
    const { status, text } = await ask(kit.url, route, await happyCall(route, kit))
    if (status !== 200) throw new Error(`${operation} answers ${status}: ${text}`)
  }
}

/** A post is looked over with the rules of its subreddit, which are asked for with a token that has ended. */
const planWithOldTokens = async (kit: Kit) => {
  const account = await connectOnce(kit, 'reddit')
  const body = (title: string) => ({
    socialAccountIds: [account],
    content: 'Asked first',
    metadata: { reddit: { subreddit: 'test', kind: 'self', title } },
  })
  const afresh = () => {
    // Longer than an answer is kept.
    kit.clock.pass(6 * minuteMs)
    kit.platforms.faults.add({ platform: 'reddit', operation: 'requirements', times: 1, fault: 'token_revoked' })
  }
  afresh()
  await kit.api.posts.validate({ body: body('Validated') })
  afresh()
  await kit.api.posts.publishNow({ body: body('Published') })
  afresh()
  const scheduledAt = at(kit, dueByScheduleMs)
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body: { ...body('Scheduled'), scheduledAt } })
  afresh()
  await kit.api.posts.reschedule({ params: { id }, body: { scheduledAt: at(kit, dueByScheduleMs) } })
  afresh()
  await kit.api.posts.update({ params: { id }, body: { content: 'Updated' } })
  const { token } = await connectedAssistant(kit)
  afresh()
  await happyTool(kit, token, 'validate_post', body('Validated by an assistant'))
}

/** Threads at every distance; the first tweet takes the rest along. */
const publishThreads = async (kit: Kit) => {
  for (const inMs of dueMoments) {
    const body = { ...(await threadBody(kit, `Thread in ${inMs}`)), scheduledAt: at(kit, inMs) }
    await kit.api.posts.scheduleThread({ body })
  }
  await kit.service.pass(20 * minuteMs, { tickMinutes: 5 })
}

/** A receiver that is down for a day, and back in the end with one more failure; a test of its endpoint finds it so. */
const wearOut = async (kit: Kit) => {
  const { id } = await makeHook(kit, 'worn', ['post.scheduled'])
  kit.inbox.behaviours.add({ name: 'worn', times: 100, status: 500 })
  for (let n = 0; n < 6; n += 1) await makePost(kit, `Parked ${n}`, 30 * 24 * 60 * minuteMs)
  await kit.service.pass(25 * 60 * minuteMs, { tickMinutes: 60 })
  kit.inbox.behaviours.clear()
  await kit.sessionApi.webhooks.sendTest({ params: { id } })
  await kit.service.deliver()
  kit.inbox.behaviours.add({ name: 'worn', times: 1, status: 500 })
  await kit.service.pass(5 * minuteMs, { tickMinutes: 1 })
}

/** A job whose message is lost, and one whose provider is away for a while. */
const writeInTrouble = async ({ kit, losing }: Traveller) => {
  const body = { prompt: 'A loaf', platforms: ['x' as const] }
  await losing([{ functionName: 'ai-create-job', queue: 'ai' }], () => kit.sessionApi.ai.createJob({ body }))
  await kit.service.pass(3 * minuteMs)
  kit.service.ai.faults.add({ service: 'bedrock', times: 2, fault: 'status', status: 503 })
  await kit.sessionApi.ai.createJob({ body })
  await kit.service.pass(3 * minuteMs)
  await transcribeRecording(kit)
  // The transcript is not where it should be.
  kit.service.ai.faults.add({ service: 'transcribe', times: 20, fault: 'not_json' })
  await transcribeRecording(kit)
  kit.service.ai.faults.clear()
}

/** A recording that is sent as the body. */
const transcribeRecording = async ({ url, sessionToken, workspaceId, service }: Kit) => {
  const headers = {
    Authorization: `Bearer ${sessionToken}`,
    'X-Workspace-Id': workspaceId,
    'Content-Type': 'audio/mpeg',
  }
  const { status } = await fetch(`${url}/api/ai/transcribe`, { method: 'POST', headers, body: 'a recording' })
  if (status !== 202) throw new Error(`a recording is answered with ${status}`)
  await service.pass(3 * minuteMs)
}

/** More events than one step of a replay takes, told again by one that nobody was told of. */
const replayEvents = async ({ kit, losing }: Traveller) => {
  const { id } = await hookOnce(kit, 'again')
  const since = at(kit, -minuteMs)
  const tweets = Array.from({ length: 20 }, (_, n) => ({ content: `Tweet ${n}` }))
  for (let n = 0; n < 3; n += 1) {
    const body = { ...(await threadBody(kit, 'Again')), tweets, scheduledAt: at(kit, dueByScheduleMs) }
    const { threadHeadPost } = await kit.api.posts.scheduleThread({ body })
    await kit.api.posts.cancel({ params: { id: threadHeadPost.id } })
  }
  await kit.service.drain()
  await losing([{ functionName: 'webhooks-replay', queue: 'replay' }], () =>
    kit.sessionApi.webhooks.replay({
      params: { id },
      body: { since, scope: 'all', eventTypes: ['post.scheduled'] },
    }),
  )
  await kit.service.pass(3 * minuteMs)
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
  await askWithOldTokens(kit)
  await planWithOldTokens(kit)
  await completeLie(kit)
  await completeNothing(kit)
  await leaveFiles(traveller)
  await searchEverywhere(kit)
  await publishEverywhere(kit)
  await publishThreads(kit)
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
