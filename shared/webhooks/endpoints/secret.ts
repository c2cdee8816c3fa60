import { randomBytes } from 'node:crypto'
import { decryptText, encryptText } from '../../aws/keys.ts'
import type { Context } from '../../context.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { secretPurpose, type WebhookEndpoint } from './endpoint.ts'

/** A new signing secret, `whsec_` and base64 of 32 bytes: shown once, stored encrypted. */
export const newSecret = async (ctx: Context, workspace: Workspace, endpointId: string) => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const sealed = await encryptText(ctx, workspace, secretPurpose(endpointId), secret)
  return { secret, sealed, hint: `whsec_…${secret.slice(-4)}` }
}

/** The secrets that sign now: the current one, and older ones that are still valid, newest first. */
export const decryptSecrets = async (ctx: Context, workspace: Workspace, endpoint: WebhookEndpoint) => {
  const now = ctx.clock.now()
  const live = endpoint.secrets.filter(({ until }) => until === undefined || until > now)
  const opened = live.map(({ sealed }) => decryptText(ctx, workspace, secretPurpose(endpoint.id), sealed))
  const [secret, ...previous] = await Promise.all(opened)
  if (secret === undefined) throw new Error(`the webhook endpoint ${endpoint.id} has no live secret`)
  return { secret, previous }
}
