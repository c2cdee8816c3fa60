import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { metadataFor } from '../../infra/local/demo/metadata.ts'
import { type PlatformId, platformIds } from '../../shared/resources.ts'
import { minuteMs } from '../../shared/time.ts'
import { uploadFile } from '../journeys/upload-file.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { film } from './pictures.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const framesAt = async (address: string) => {
  const bytes = Buffer.from(await (await fetch(address)).arrayBuffer())
  return (await sharp(bytes, { animated: true }).metadata()).pages ?? 1
}

/** These get every frame, and show the first one of such a file. */
const showsStill: readonly string[] = ['bluesky: image/gif', 'bluesky: image/webp', 'x: image/webp']

test('an animation that a platform shows as one frame causes a warning, for each platform', async () => {
  const accounts = new Map<PlatformId, string>()
  for (const id of platformIds) {
    const own: Record<string, string> = { bluesky: kit.accounts.bluesky, discord: kit.accounts.discord }
    accounts.set(id, own[id] ?? (await connectOn(kit, id)))
  }
  const gif = await film(480, 400)
  const webp = await sharp(gif, { animated: true }).webp().toBuffer()
  const caller = { baseUrl: kit.url, token: kit.sessionToken, workspaceId: kit.workspaceId }
  for (const [mimeType, bytes] of [['image/gif', gif] as const, ['image/webp', webp] as const]) {
    const id = await uploadFile(kit, mimeType, bytes)
    const metadata = await metadataFor(caller, [...accounts.keys()], mimeType)
    const scheduledAt = new Date(kit.clock.now() + 20 * minuteMs).toISOString()
    const post = { content: mimeType, metadata, mediaUrls: [id], scheduledAt }
    const { issues } = await kit.api.posts.validate({ body: { ...post, socialAccountIds: [...accounts.values()] } })
    const refused = new Set(issues.map(({ socialAccountId }) => socialAccountId))
    const body = { ...post, socialAccountIds: [...accounts.values()].filter((account) => !refused.has(account)) }
    const { warnings } = await kit.api.posts.validate({ body })
    const stillImages = warnings.filter(({ code }) => code === 'still_image')
    for (const { field, message, next } of stillImages) {
      expect([field, message]).toEqual([
        'mediaUrls',
        expect.stringContaining('file moves, and is shown as its first frame.'),
      ])
      expect(next).toMatch(/^Attach (?:a GIF of at most \d+ bytes, or )?a video\.$/)
    }
    const posts = await kit.api.posts.schedule({ body })
    const ofPosts = posts.flatMap((post) => post.warnings ?? []).filter(({ code }) => code === 'still_image')
    expect(ofPosts).toEqual(stillImages)
    const before = kit.platforms.published().length
    await kit.service.pass(40 * minuteMs)
    const shown = kit.platforms.published().slice(before)
    expect(shown.length).toBeGreaterThan(8)
    const still: string[] = []
    for (const { platform, media } of shown) {
      const isStill = (await framesAt(media[0] ?? '')) === 1 || showsStill.includes(`${platform}: ${mimeType}`)
      if (isStill) still.push(platform)
    }
    expect(still.length).toBeGreaterThan(3)
    expect([mimeType, stillImages.map(({ platform }) => platform).toSorted()]).toEqual([mimeType, still.toSorted()])
  }
  const photo = await uploadFile(kit, 'image/jpeg', await sharp(gif).jpeg().toBuffer())
  const body = { content: 'Still', mediaUrls: [photo], socialAccountIds: [kit.accounts.bluesky] }
  expect((await kit.api.posts.validate({ body })).warnings).toEqual([])
}, 120_000)
