import { routes } from '../../../functions/routes.ts'
import { connectedAssistant } from '../../mcp/assistant.ts'
import type { Kit } from '../start.ts'
import { callRoute } from './ask.ts'
import { happyCall } from './happy-calls.ts'
import { connectOnce, minuteMs } from './preparations.ts'
import { happyTool } from './tool-calls.ts'
import { at, dueByScheduleMs } from './traveller.ts'

/** The operations of helpers, and their names at the stand-ins. */
const questions: readonly { operation: string; platform: string; operationName: string }[] = [
  { operation: 'socialAccounts.createPinterestBoard', platform: 'pinterest', operationName: 'makeBoard' },
  { operation: 'socialAccounts.pinterestBoards', platform: 'pinterest', operationName: 'boards' },
  { operation: 'socialAccounts.redditFlairOptions', platform: 'reddit', operationName: 'flairs' },
  { operation: 'socialAccounts.redditPostRequirements', platform: 'reddit', operationName: 'requirements' },
  { operation: 'socialAccounts.slackChannels', platform: 'slack', operationName: 'channels' },
]

/** Reads lists with expired tokens, which are refreshed on the way. */
export const readWithExpiredTokens = async (kit: Kit) => {
  kit.clock.pass(6 * minuteMs)
  for (const { operation, platform, operationName } of questions) {
    const route = routes.find((candidate) => candidate.operation === operation)
    if (route === undefined) throw new Error(`there is no ${operation}`)
    kit.platforms.faults.add({ platform, operation: operationName, times: 1, fault: 'token_revoked' })
    const { status, text } = await callRoute(kit.url, route, await happyCall(route, kit))
    if (status !== 200) throw new Error(`${operation} answers ${status}: ${text}`)
  }
}

/** A post is validated against the rules of its subreddit, which are fetched with an expired token. */
export const planWithOldTokens = async (kit: Kit) => {
  const account = await connectOnce(kit, 'reddit')
  const body = (title: string) => ({
    socialAccountIds: [account],
    content: 'Asked first',
    metadata: { reddit: { subreddit: 'test', kind: 'self', title } },
  })
  const afresh = () => {
    // Longer than an answer is cached.
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
