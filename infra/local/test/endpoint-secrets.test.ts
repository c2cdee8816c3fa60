import { expect, test } from 'vitest'
import { eventsOf, listen, scheduleOn } from '../../../test/journeys/author.ts'
import { startWired } from '../../../test/support/wired.ts'

test('creating, updating, and rotating a webhook scans no table, and its deliveries verify', async () => {
  const kit = await startWired()
  await listen(kit, 'first')
  const { id } = await listen(kit, 'second')
  const url = `${kit.service.inboxUrl}/hooks/moved`
  await kit.sessionApi.webhooks.update({ params: { id }, body: { url } })
  await kit.sessionApi.webhooks.rotateSecret({ params: { id } })
  const post = await scheduleOn(kit, 'bluesky', 'told to both', 86_400_000)
  await kit.service.drain()
  // It demands that every delivery verified.
  expect(eventsOf(kit, post.id).map(({ type }) => type)).toEqual(['post.scheduled'])
  expect(
    kit.inbox
      .deliveries()
      .map(({ endpoint }) => endpoint)
      .sort(),
  ).toEqual(['first', 'moved'])
  expect([...kit.wire.counts.keys()].filter((name) => name.startsWith('Scan'))).toEqual([])
  await kit.close()
})
