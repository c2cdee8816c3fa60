import type { Actor } from '../../audit/actor.ts'
import { commit, type Unit } from '../../commit/commit.ts'
import type { Context } from '../../context.ts'
import { currentOrThrow } from '../../db/condition-failed.ts'
import { equal } from '../../db/expression.ts'
import { Refusal } from '../../errors/refusal.ts'
import { logSecurity } from '../../security-log.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { endpoints, type WebhookEndpoint } from './endpoint.ts'
import { newSecret } from './secret.ts'

const maxSecrets = 3
const oldLivesSeconds = 86_400

const changedMeanwhile = () =>
  new Refusal('conflict', 'The secret was rotated during the request. Read the endpoint again, then retry.', {
    code: 'concurrent_update',
  })

/** Gives an endpoint a new secret; the old one also signs for a while. */
export const rotateSecret = async (
  ctx: Context,
  workspace: Workspace,
  endpoint: WebhookEndpoint,
  by: Actor,
  expireOldInSeconds = oldLivesSeconds,
): Promise<{ id: string; secret: string }> => {
  const now = ctx.clock.now()
  const until = now + expireOldInSeconds * 1000
  const old = endpoint.secrets
    .map((former) => ({ ...former, until: Math.min(former.until ?? until, until) }))
    .filter((former) => former.until > now)
  if (old.length >= maxSecrets) {
    throw new Refusal(
      'conflict',
      `The endpoint already has ${maxSecrets} live secrets. Wait until one expires, or send "expireOldInSeconds": 0.`,
      { code: 'webhook_secret_limit' },
    )
  }
  const { secret, sealed, hint } = await newSecret(ctx, workspace, endpoint.id)
  const updatedAt = new Date(now).toISOString()
  const change = { set: { secrets: [{ sealed }, ...old], secretHint: hint, updatedAt } }
  const unit: Unit = {
    writes: [{ update: endpoints.key(endpoint), change, when: equal('secrets', endpoint.secrets) }],
    audit: {
      by,
      action: 'webhook_endpoint.secret_rotated',
      target: { type: 'webhook_endpoint', id: endpoint.id },
      after: { oldSecretExpiresAt: new Date(until).toISOString() },
    },
  }
  await currentOrThrow(commit(ctx, workspace, unit), changedMeanwhile)
  logSecurity(ctx, 'webhook_secret_rotated', { endpointId: endpoint.id })
  return { id: endpoint.id, secret }
}
