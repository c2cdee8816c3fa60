import type { FaultInput } from '../../../infra/local/platforms/faults.ts'
import { dayMs } from '../../../shared/time.ts'
import { connectOn } from '../connect.ts'
import type { Kit } from '../start.ts'
import { channelId, connectAnother, makeHook, makePost, makeWorkspace, minuteMs, postBody } from './preparations.ts'
import { at, dueByQueueMs, dueSoonMs, type Traveller } from './traveller.ts'

const faults: readonly FaultInput[] = [
  { platform: 'bluesky', operation: 'upload', times: 1, fault: 'html_503' },
  { platform: 'bluesky', operation: 'create', times: 1, fault: 'html_503' },
  { platform: 'bluesky', operation: 'create', times: 1, fault: 'landed_then_reset' },
  { platform: 'bluesky', operation: 'create', times: 1, fault: 'rate_limited' },
  { platform: 'discord', operation: 'create', times: 1, fault: 'landed_then_reset' },
  { platform: 'discord', operation: 'create', times: 1, fault: 'html_503' },
]

/** Trouble at platforms and receivers, credentials that have run out, and an account that is lost in the end. */
export const meetTrouble = async (kit: Kit) => {
  kit.inbox.behaviors.add({ name: 'everything', times: 3, status: 503 })
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
  // Another account is lost during two months without a publication. The access to a third one ends soon by then.
  await connectAnother(kit)
  await connectOn(kit, 'linkedin')
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'refresh', times: 4, fault: 'token_revoked' })
  kit.clock.pass(54 * dayMs)
  await kit.service.pass(2 * minuteMs)
  kit.clock.pass(7 * dayMs)
  await kit.service.pass(2 * minuteMs)
  kit.platforms.faults.clear()
}

/** Messages that never arrive: the sweeper must find the work by its rows. */
export const loseMessages = async ({ kit, losing }: Traveller) => {
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
