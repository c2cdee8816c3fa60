import { client } from '../../functions/client.ts'
import { blueskySeed } from '../../infra/local/platforms/bluesky/seed.ts'
import { discordSeed } from '../../infra/local/platforms/discord/seed.ts'
import { openSession } from '../../shared/identity/open-session.ts'
import { random62 } from '../../shared/ids.ts'
import type { EventType } from '../../shared/webhooks/event.ts'
import type { Kit } from '../support/start.ts'

export const password = 'correct horse battery'
export const minuteMs = 60_000

/** A text channel the bot may write to. */
export const channelId = discordSeed.channels.find(({ name }) => name === 'general')?.id ?? ''

/** How the seeded person signs in at the Bluesky stand-in. */
export const blueskyLogin = {
  identifier: blueskySeed.account.handle,
  appPassword: blueskySeed.account.appPassword,
}

/** The smallest PNG there is: one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const picture = { mimeType: 'image/png' as const, fileSize: pixel.byteLength }

/** Sends bytes to an address of their own; answers what completes the upload. */
export const upload = async ({ api }: Kit, bytes: Uint8Array = pixel) => {
  const { uploadUrl, storageKey } = await api.media.createUploadUrl({ body: { filename: 'pixel.png', ...picture } })
  const headers = { 'Content-Type': picture.mimeType }
  const { status } = await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(bytes) })
  if (status !== 200) throw new Error(`the upload answered ${status}`)
  return { storageKey, originalFilename: 'pixel.png', ...picture }
}

export const makeAsset = async (kit: Kit) => kit.api.media.complete({ body: await upload(kit) })

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

/** Signs somebody up and answers their address and the token in the mail. */
export const signUp = async ({ url, mail }: Kit) => {
  const email = `${random62(12).toLowerCase()}@mail.test`
  await client({ baseUrl: url }).auth.signUp({ body: { email, password, name: 'Cy' } })
  const letter = mail.outbox().findLast(({ to }) => to.includes(email))
  const [, token = ''] = /token=(\w+)/.exec(letter?.text ?? '') ?? []
  return { email, token }
}

/** Signs somebody up who has opened the link. */
export const makePerson = async (kit: Kit) => {
  const { email, token } = await signUp(kit)
  await client({ baseUrl: kit.url }).auth.verifyEmail({ query: { token } })
  return { email, password }
}

/** Another session of the seeded person. */
export const makeSession = async ({ ctx, user }: Kit) =>
  (await openSession(ctx, { userId: user.id, email: user.email, name: user.name, userAgent: 'test' })).token

/** Adds the bot at the stand-in; answers what Discord sends the person back with. */
export const installBot = async ({ sessionApi }: Kit): Promise<Record<string, string>> => {
  const { authorizeUrl } = await sessionApi.socialAccounts.connectDiscord()
  const body = new URLSearchParams({ answer: 'allow' })
  const { headers } = await fetch(authorizeUrl, { method: 'POST', body, redirect: 'manual' })
  return Object.fromEntries(new URL(headers.get('Location') ?? '').searchParams)
}
