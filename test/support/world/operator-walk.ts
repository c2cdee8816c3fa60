import { migrate } from '../../../infra/deploy/operator/migrate.ts'
import { changePauses } from '../../../infra/deploy/operator/pauses.ts'
import type { Kit } from '../start.ts'
import { connectOnce, minuteMs } from './preparations.ts'
import { at } from './traveller.ts'

/** What an operator does outside of the API while a post waits whose long text has its own row. */
export const operate = async (kit: Kit): Promise<void> => {
  const body = {
    socialAccountIds: [await connectOnce(kit, 'reddit')],
    content: 'A long text. '.repeat(400),
    metadata: { reddit: { subreddit: 'test', title: 'Long', kind: 'self' } },
    scheduledAt: at(kit, 10 * minuteMs),
  }
  await kit.api.posts.schedule({ body })
  await changePauses(kit.ctx, 'pause', { platform: 'slack', reason: 'a test' })
  await migrate(kit.ctx)
  await changePauses(kit.ctx, 'resume', { platform: 'slack' })
}
