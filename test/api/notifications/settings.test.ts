import { expect, test } from 'vitest'
import { update } from '../../../shared/db/table.ts'
import { notificationKinds } from '../../../shared/notifications/kinds.ts'
import { profiles } from '../../../shared/notifications/profile.ts'
import { start } from '../../support/start.ts'

const everything = Object.fromEntries(notificationKinds.map((kind) => [kind, { push: true, mail: true }]))

test('everything is on at first; a change merges, and parallel changes keep each other', async () => {
  const kit = await start()
  const { notifications } = kit.sessionApi
  expect(await notifications.getSettings()).toEqual(everything)
  const changed = await notifications.updateSettings({ body: { 'post.publish_failed': { mail: false } } })
  expect(changed).toEqual({ ...everything, 'post.publish_failed': { push: true, mail: false } })
  await Promise.all(
    notificationKinds.map((kind) => notifications.updateSettings({ body: { [kind]: { push: false } } })),
  )
  const settings = await notifications.getSettings()
  expect(Object.values(settings).map(({ push }) => push)).toEqual(notificationKinds.map(() => false))
  expect(settings['post.publish_failed'].mail).toBe(false)
  expect(settings['workspace.trial_ending'].mail).toBe(true)
})

test('a kind and a channel of a newer release are read over, and stay', async () => {
  const kit = await start()
  const { notifications } = kit.sessionApi
  const userId = kit.user.id
  await notifications.updateSettings({ body: { 'post.publish_failed': { mail: false } } })
  const newer = { 'post.liked': { push: false }, 'post.publish_failed': { mail: false, sms: true } }
  await update(kit.ctx, profiles.key({ userId }), { set: { settings: newer } })
  expect(await notifications.getSettings()).toMatchObject({ 'post.publish_failed': { push: true, mail: false } })
  await notifications.updateSettings({ body: { 'workspace.trial_ending': { push: false } } })
  expect((await profiles.get(kit.ctx, { userId }))?.settings).toMatchObject(newer)
})

test('an unknown kind or channel is rejected by name', async () => {
  const kit = await start()
  const patch = (body: unknown) =>
    fetch(`${kit.url}/api/notifications/settings`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${kit.sessionToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }).then((answer) => answer.json())
  expect(await patch({ 'post.published': { push: false } })).toMatchObject({
    code: 'invalid_input',
    field: 'post.published',
  })
  expect(await patch({ 'post.publish_failed': { sms: true } })).toMatchObject({ field: 'post.publish_failed.sms' })
})
