import { expect, test } from 'vitest'
import { definition as bluesky } from '../../shared/platforms/bluesky/definition.ts'
import type { PlatformDefinition } from '../../shared/platforms/definition.ts'
import { definition as instagram } from '../../shared/platforms/instagram/definition.ts'
import { warningsOf } from '../../shared/platforms/rules/check-post.ts'
import { definition as x } from '../../shared/platforms/x/definition.ts'
import { anyPicture } from './any-file.ts'

const codes = (definition: PlatformDefinition, post: object) =>
  warningsOf(definition, { socialAccountId: 'acc_1', content: 'Hi', metadata: undefined, media: [], ...post }).map(
    ({ code }) => code,
  )
const video = (more: object) => [anyPicture({ mimeType: 'video/mp4', durationMs: 5000, ...more })]

test('Bluesky: videos of more than three minutes', () => {
  const lasting = (durationMs: number) => codes(bluesky, { media: video({ durationMs }) })
  expect([lasting(180_000), lasting(180_001)]).toEqual([[], ['may_be_rejected']])
})

test('X: links, also without a scheme', () => {
  expect(['https://example.com', 'see example.com', 'no link'].map((content) => codes(x, { content }))).toEqual([
    ['platform_price'],
    ['platform_price'],
    [],
  ])
})

test('Instagram: reels that are not in the Reels tab', () => {
  const reel = (more: object, format = 'reel') =>
    codes(instagram, { media: video({ width: 1080, height: 1920, ...more }), metadata: { format } })
  expect([reel({ durationMs: 90_000 }), reel({ durationMs: 90_001 })]).toEqual([[], ['limited_reach']])
  expect([reel({ width: 1920, height: 1080 }), reel({ durationMs: 90_001 }, 'story')]).toEqual([['limited_reach'], []])
})
