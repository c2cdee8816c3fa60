import type { Check } from './check.ts'
import { withoutTextAlone } from './deviations.ts'
import { accepted, bodyOf, type Good, good, rejected } from './platform-texts.ts'
import type { World } from './world.ts'

const images = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
const [jpeg = '', mp4] = [images[0], 'video/mp4']
const times = (count: number, type = jpeg) => Array.from({ length: count }, () => type)
const withFiles = (post: Good, files: readonly string[]): Good => ({ ...post, files })
const story = { ...good.instagram, metadata: { format: 'story' } }
const carousel = { ...good.instagram, metadata: { format: 'carousel' } }

/** Files of these sizes, on validate and on schedule. */
const sized = (title: string, post: Good, isTaken: boolean, type: string, sizes: readonly number[]): Check[] => {
  const body = async (world: World) => ({
    ...(await bodyOf(world, post)),
    mediaUrls: await Promise.all(sizes.map((size, n) => world.file(type, n, size))),
  })
  return [
    {
      route: 'POST /api/posts/validate',
      title: `${post.platform} ${isTaken ? 'accepts' : 'rejects'} ${title}`,
      call: async (world) => ({ body: await body(world) }),
      also: (answer) => {
        const { valid } = (answer.body?.['data'] ?? {}) as { valid?: boolean }
        return valid === isTaken ? [] : [answer.text]
      },
    },
    {
      route: 'POST /api/posts/schedule',
      title: `${post.platform} ${isTaken ? 'accepts' : 'rejects'} ${title}`,
      ...(isTaken ? {} : { status: 400 }),
      call: async (world) => ({ body: { ...(await body(world)), scheduledAt: world.at(3_600_000) } }),
    },
  ]
}

/** Limits, platform metadata and media requirements. */
export const platformMedia: readonly Check[] = [
  ...images.flatMap((type) => [
    ...accepted(`a feed image as ${type}`, withFiles(good.instagram, [type])),
    ...accepted(`a story as ${type}`, withFiles(story, [type])),
    ...accepted(`a carousel with ${type}`, withFiles(carousel, [type, jpeg])),
    ...accepted(`an image as ${type}`, withFiles(good.pinterest, [type])),
  ]),
  ...rejected('a feed image without a file', withFiles(good.instagram, [])),
  ...rejected('a feed image that is a video', withFiles(good.instagram, [mp4])),
  ...rejected('a post without an image', withFiles(good.pinterest, [])),
  ...rejected('two images', withFiles(good.pinterest, times(2))),
  ...rejected('a video', withFiles(good.pinterest, [mp4])),
  ...rejected('a post without a video', withFiles(good.tiktok, [])),
  ...rejected('two videos', withFiles(good.tiktok, times(2, mp4))),
  ...rejected('an image', withFiles(good.tiktok, [jpeg])),
  ...accepted('one video', good.tiktok),
  ...accepted('a photo', withFiles(good.facebook, [jpeg])),
  ...accepted('three photos', withFiles(good.facebook, times(3))),
  ...rejected('a video', withFiles(good.facebook, [mp4])),
  ...[good.discord, good.slack].flatMap((post) => [
    ...accepted('a text alone', post),
    ...accepted('9 attachments', withFiles(post, times(9))),
    ...accepted('10 attachments', withFiles(post, times(10))),
    ...accepted('a video', withFiles(post, [mp4])),
    ...rejected('11 attachments', withFiles(post, times(11))),
  ]),
  ...[good.x, good.linkedin, good.bluesky, good.threads, good.facebook].flatMap((post) =>
    accepted('a picture without a block', withFiles(post, [jpeg])),
  ),
  ...[good.x, good.linkedin, good.bluesky, good.threads, good.youtube].flatMap((post) =>
    accepted('a video without a block', withFiles(post, [mp4])),
  ),
  ...withoutTextAlone.flatMap((platform) => rejected('a text alone', withFiles(good[platform], []))),
  ...sized('20 MB in all', good.discord, true, jpeg, [10_000_000, 10_000_000]),
  ...sized('more than 25 MB in all', good.discord, false, jpeg, [9_000_000, 9_000_000, 9_000_000]),
  ...sized('a file of 49,999,999 bytes', good.slack, true, mp4, [49_999_999]),
  ...sized('a file of 50 MB', good.slack, true, mp4, [50_000_000]),
  ...sized('a file of 50 MiB and a byte', good.slack, false, mp4, [52_428_801]),
]
