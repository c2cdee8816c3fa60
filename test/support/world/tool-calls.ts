import { routes } from '../../../functions/routes.ts'
import { tools } from '../../../functions/tools.ts'
import { isIdempotent } from '../../../shared/http/remembered.ts'
import { connectedAssistant, message, rawCall } from '../../mcp/assistant.ts'
import type { Kit } from '../start.ts'
import { happyCall } from './happy-calls.ts'
import { makeAsset, minuteMs } from './preparations.ts'

/** The arguments of a tool that succeed, once: those of the happy call of its operation. */
export const happyArguments = async (name: string, kit: Kit): Promise<Record<string, unknown>> => {
  const tool = tools[name]
  const route = routes.find(({ endpoint }) => endpoint.contract === tool?.endpoint.contract)
  if (tool === undefined || route === undefined) throw new Error(`${name} calls no operation`)
  const { params, query, body } = await happyCall(route, kit)
  const { id: _, ...others } = params ?? {}
  const sent: Record<string, unknown> = { ...query, ...(body as object), ...(tool.namesWorkspace ? others : params) }
  for (const field of tool.without ?? []) delete sent[field]
  return {
    ...(tool.rows === undefined ? sent : { [tool.rows.argument]: [sent] }),
    ...(tool.picks === undefined ? {} : { [tool.picks.argument]: tool.picks.values[0] }),
    ...(isIdempotent(route.endpoint.contract) ? { idempotencyKey: `happy-${name}` } : {}),
  }
}

/** Calls a tool as an assistant of an earlier revision; throws if it did not succeed. */
export const happyTool = async (
  kit: Kit,
  token: string,
  name: string,
  sent: Record<string, unknown>,
): Promise<void> => {
  const { status, text, body } = await rawCall(kit, token, message('tools/call', { name, arguments: sent }))
  if (status !== 200 || body.result?.isError === true) throw new Error(`${name} answers ${status}: ${text}`)
}

/** Every tool once, when all is well. */
export const callEveryTool = async (kit: Kit): Promise<void> => {
  const { token } = await connectedAssistant(kit)
  for (const name of Object.keys(tools)) await happyTool(kit, token, name, await happyArguments(name, kit))
  const account = { socialAccountId: kit.accounts.bluesky }
  const lists = [account, { status: 'failed' }, { externalId: 'order-7' }, { sort: 'scheduledAt' }]
  for (const sent of lists) await happyTool(kit, token, 'list_posts', sent)
  const picture = { socialAccountIds: [kit.accounts.bluesky], content: 'Now', mediaUrls: [(await makeAsset(kit)).id] }
  await happyTool(kit, token, 'publish_post_now', { ...picture, idempotencyKey: 'with-a-picture' })
  const scheduledAt = new Date(kit.clock.now() + 10 * minuteMs).toISOString()
  await happyTool(kit, token, 'schedule_post', { ...picture, scheduledAt, idempotencyKey: 'soon-with-a-picture' })
  for (const method of ['GET', 'DELETE']) await rawCall(kit, token, undefined, { method })
}
