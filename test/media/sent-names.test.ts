import { afterAll, beforeAll, expect, test } from 'vitest'
import { metadataFor } from '../../infra/local/demo/metadata.ts'
import type { PlatformId } from '../../shared/resources.ts'
import { minuteMs } from '../../shared/time.ts'
import { connectOn } from '../support/connect.ts'
import { startImportFixture } from './imports/origin.ts'
import { noise } from './pictures.ts'

let fixture: Awaited<ReturnType<typeof startImportFixture>>
beforeAll(async () => {
  fixture = await startImportFixture()
})
afterAll(() => fixture.close())

/** The platforms that get a file by a name. */
const named: readonly PlatformId[] = ['discord', 'mastodon', 'reddit', 'slack', 'wordpress']

/** The names of files in the calls to a platform: those of forms with files, of Slack's fields, and of Reddit's. */
const namesIn = (body: Buffer, type: string): string[] =>
  type.startsWith('multipart/')
    ? [...body.toString('latin1').matchAll(/; filename="([^"]*)"/g)].map(([, name = '']) => name)
    : ['filename', 'filepath'].flatMap((name) => new URLSearchParams(body.toString()).getAll(name))

test('each platform gets a file with the extension of its type, whatever its name', async () => {
  const { kit, origin, answers } = fixture
  const accounts = new Map<PlatformId, string>()
  for (const id of named) accounts.set(id, id === 'discord' ? kit.accounts.discord : await connectOn(kit, id))
  const picture = await noise(480, 400).png().toBuffer()
  const content = picture.toString('base64')
  const caller = { baseUrl: kit.url, token: kit.sessionToken, workspaceId: kit.workspaceId }
  for (const path of ['/...', '/loaf.jpg', '/']) answers.set(path, (_, response) => response.end(picture))
  for (const [filename, sent] of [
    ['...', 'file.png'],
    ['. ', 'file.png'],
    ['.jpg', 'file.png'],
    ['loaf', 'loaf.png'],
    ['loaf.', 'loaf.png'],
    ['v1.2', 'v1.2.png'],
    ['loaf.jpeg', 'loaf.png'],
    ['loaf.PNG', 'loaf.PNG'],
    [`${origin}/...`, /^med_\w+\.png$/],
    [`${origin}/loaf.jpg`, 'loaf.png'],
    [`${origin}/`, /^med_\w+\.png$/],
  ] as const) {
    const isAddress = filename.startsWith(origin)
    const file = isAddress ? filename : (await kit.api.media.create({ body: { content, filename } })).id
    const text = `A picture called ${filename.slice(-9)}`
    const metadata = await metadataFor(caller, [...accounts.keys()], text)
    const scheduledAt = new Date(kit.clock.now() + 20 * minuteMs).toISOString()
    const socialAccountIds = [...accounts.values()]
    const since = kit.platforms.calls().length
    await kit.api.posts.schedule({
      body: { content: text, metadata, mediaUrls: [file], scheduledAt, socialAccountIds },
    })
    await kit.service.pass(40 * minuteMs)
    const calls = kit.platforms.calls().slice(since)
    for (const id of named) {
      const own = calls.filter(({ platform }) => platform === id)
      const names = own.flatMap(({ body, headers }) => namesIn(Buffer.from(body), headers['content-type'] ?? ''))
      // Reddit shows no name, so that it gets none of the author's.
      const expected = id === 'reddit' ? 'file.png' : typeof sent === 'string' ? sent : expect.stringMatching(sent)
      expect([filename, id, [...new Set(names)]]).toEqual([filename, id, [expected]])
    }
  }
}, 120_000)
