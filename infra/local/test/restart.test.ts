import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { jsonLog } from '../../../shared/context.ts'
import { virtualClock } from '../../../test/support/clock.ts'
import { makeSeed } from '../../../test/support/seed.ts'
import { getSharedSetup } from '../../../test/support/shared-setup.ts'
import { startService } from '../service.ts'

const { assembly, files } = await getSharedSetup()
const log = jsonLog(() => {})

const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'service-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('a post scheduled before a restart is published after it', async () => {
  const folder = await makeFolder()
  const clock = virtualClock(Date.UTC(2030, 0, 1, 12))
  const boot = () => startService({ clock, polling: 'manual', load: 'source', folder, assembly, files, log })
  const before = await boot()
  const { pat, workspaceId, accounts } = await makeSeed(before.context)
  const metadata = { discord: { channelId: '1300000000000000101' } }
  const scheduledAt = new Date(clock.now() + 3_600_000).toISOString()
  const body = { socialAccountIds: [accounts.discord], content: 'Hello', scheduledAt, metadata }
  await client({ baseUrl: before.baseUrl, token: pat, workspaceId }).posts.schedule({ body })
  await before.close()
  const after = await boot()
  try {
    await after.pass(3_600_000, { tickMinutes: 60 })
    expect(after.platforms.published()).toMatchObject([{ text: 'Hello' }])
    const { items } = await client({ baseUrl: after.baseUrl, token: pat, workspaceId }).posts.list()
    expect(items).toMatchObject([{ status: 'published' }])
  } finally {
    await after.close()
  }
})
