import type { Client } from '../../../functions/client.ts'
import { client } from '../../../functions/client.ts'
import type { Demo } from '../../../infra/local/demo/seed.ts'
import { discordSeed } from '../../../infra/local/platforms/discord/seed.ts'
import { slackSeed } from '../../../infra/local/platforms/slack/seed.ts'
import type { Service } from '../../../infra/local/service.ts'
import type { PlatformId } from '../../../shared/resources.ts'
import { seedFolder } from './in-process.ts'
import { makeMember } from './members.ts'

/** The platforms that take a text alone. */
export const platforms = [
  'bluesky',
  'discord',
  'x',
  'threads',
  'slack',
  'facebook',
  'linkedin',
] as const satisfies PlatformId[]

/** Where the load finds everything; the same in every life of the service. */
export interface Stage {
  demo: Demo
  inboxUrl: string
  /** The API as each member calls it: rate limits count each person. */
  members: readonly Client[]
  collectionId: string
}

const idOf = (channels: readonly { id: string; name: string }[]): string =>
  channels.find(({ name }) => name === 'general')?.id ?? ''

/** What the platforms need in addition to a text. */
export const metadata = {
  discord: { channelId: idOf(discordSeed.channels) },
  slack: { channelId: idOf(slackSeed.channels) },
}

/** Longer than any answer takes, also of a machine that is busy. */
const timeoutMs = 30_000

const patientFetch: typeof fetch = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) })

/** Makes the people, and what the load works with; members are admins of the demonstration's workspace. */
export const setStage = async (service: Service, folder: string, count: number): Promise<Stage> => {
  const demo = await seedFolder(service, folder)
  const { baseUrl, inboxUrl } = service
  const members: Client[] = []
  for (let n = 0; n < count; n += 1) {
    const token = await makeMember(service, demo, n)
    members.push(client({ baseUrl, token, workspaceId: demo.workspaceId, fetch: patientFetch }))
  }
  const owner = client({ baseUrl, token: demo.sessionToken, workspaceId: demo.workspaceId })
  const { id: collectionId } = await owner.memory.createCollection({ body: { name: 'Kept' } })
  return { demo, inboxUrl, members, collectionId }
}
