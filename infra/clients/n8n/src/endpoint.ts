import type { ICredentialDataDecryptedObject } from 'n8n-workflow'
import { type Client, type ReceivedEvent, SocialError } from '../../javascript/src/index.ts'
import { clientOf } from './client-of.ts'

/** A webhook endpoint that a node has registered. */
export interface Endpoint {
  [member: string]: string
  id: string
  url: string
  secret: string
}

/** The event types and URL of a node. */
interface Wish {
  name: string
  url: string
  events: ReceivedEvent['type'][]
}

/** The client of an application. A personal access token cannot manage endpoints. */
const applicationOf = (credentials: ICredentialDataDecryptedObject): Client => {
  if (
    !String(credentials['accessToken'] ?? '')
      .trim()
      .startsWith('svc_app_')
  ) {
    throw new Error(
      'Only the token of an application (svc_app_…) can manage webhook endpoints. Use credentials with one, or set Webhook Endpoint to "Created by Hand".',
    )
  }
  return clientOf(credentials)
}

const isMissing = (error: unknown): boolean =>
  error instanceof SocialError && error.code === 'webhook_endpoint_not_found'

/** The value of a call; undefined if the endpoint does not exist. */
const unlessMissing = <T>(call: Promise<T>): Promise<T | undefined> =>
  call.catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })

const asText = (events: readonly string[]): string => [...events].sort().join()

/** Whether the endpoint of a node exists and sends the events of the node. */
export const isRegistered = async (
  credentials: ICredentialDataDecryptedObject,
  stored: Endpoint | undefined,
  { url, events }: Wish,
): Promise<boolean> => {
  const { webhooks } = applicationOf(credentials)
  if (stored === undefined || stored.url !== url) return false
  const existing = await unlessMissing(webhooks.get(stored.id))
  return (
    existing !== undefined && existing.url === url && existing.enabled && asText(existing.events) === asText(events)
  )
}

/**
 * Creates the endpoint of a node, or reuses the one that has its URL: a crashed start of n8n can have left one. Its secret
 * is then unknown, so it gets another one.
 */
export const registerEndpoint = async (
  credentials: ICredentialDataDecryptedObject,
  stored: Endpoint | undefined,
  wish: Wish,
): Promise<Endpoint> => {
  const { webhooks } = applicationOf(credentials)
  const { url, events } = wish
  const existing = (await webhooks.list()).find((each) => each.url === url)
  if (existing === undefined) {
    const { id, secret } = await webhooks.create(wish)
    return { id, url, secret }
  }
  const { id } = existing
  await webhooks.update(id, { events, enabled: true })
  if (stored?.id === id) return stored
  const { secret } = await webhooks.rotateSecret(id, { expireOldInSeconds: 0 })
  return { id, url, secret }
}

/** Deletes the endpoint of a node; one that does not exist is no error. */
export const forgetEndpoint = async (credentials: ICredentialDataDecryptedObject, { id }: Endpoint): Promise<void> => {
  await unlessMissing(applicationOf(credentials).webhooks.delete(id))
}
