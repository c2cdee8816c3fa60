import { routes } from '../../../functions/routes.ts'
import { connectedAssistant } from '../../mcp/assistant.ts'
import type { Kit } from '../start.ts'
import { ask } from './ask.ts'
import { happyCall } from './happy-calls.ts'
import { connectOnce, minuteMs } from './preparations.ts'
import { happyTool } from './tool-calls.ts'
import { at, dueByScheduleMs } from './traveller.ts'

/** What helpers ask, and how stand-ins call it. */
const questions: readonly { operation: string; platform: string; asks: string }[] = [
  { operation: 'socialAccounts.createPinterestBoard', platform: 'pinterest', asks: 'makeBoard' },
  { operation: 'socialAccounts.pinterestBoards', platform: 'pinterest', asks: 'boards' },
  { operation: 'socialAccounts.redditFlairOptions', platform: 'reddit', asks: 'flairs' },
  { operation: 'socialAccounts.redditPostRequirements', platform: 'reddit', asks: 'requirements' },
  { operation: 'socialAccounts.slackChannels', platform: 'slack', asks: 'channels' },
]

/** Lists are asked for with tokens that have ended: they are refreshed on the way. */
export const askWithOldTokens = async (kit: Kit) => {
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
export const planWithOldTokens = async (kit: Kit) => {
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
