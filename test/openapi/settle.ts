import { story } from '../../infra/openapi/examples/story.ts'
import { examples } from '../../shared/platforms/registry/examples.ts'
import type { Kit } from '../support/start.ts'
import { mapTexts, replaceAll, textsIn } from './values.ts'
import type { World } from './world.ts'

/** Texts of the tests, and their replacements in the docs. */
const replacements: Readonly<Record<string, string>> = {
  Ann: 'Ada Baker',
  Dee: 'Ben Miller',
  Cy: 'Ben Miller',
  Acme: 'Corner Bakery',
  acme: story.slug,
  Paying: 'Corner Bakery',
  Passing: 'Corner Bakery',
  Demo: 'Corner Bakery',
  'Second Demo': 'Corner Bakery Events',
  'demo.bsky.test': story.handle,
  'second.bsky.test': 'events.bakery.bsky.social',
  'A post': 'Our Christmas stollen is back.',
  'An idea': 'Christmas stollen',
  'Perhaps one day': 'Our Christmas stollen is back.',
  'Perhaps one day, up there': 'Our Christmas stollen is back. Who is hungry?',
  Notes: 'Recipes',
  'A thought': 'Customers like posts about the night shift more than offers.',
  'pixel.png': 'loaf.png',
  hook: 'Web shop',
  told: 'Web shop',
  again: 'Web shop',
  tested: 'Web shop',
  Phone: "Ada's phone",
  asked: 'order-4711',
  '127.0.0.1': '203.0.113.7',
}

/** What only this machine or this run knows, in the order in which it is replaced. */
const rules: readonly [RegExp, string][] = [
  [/svc_(pat|ses)_\w+/g, 'svc_$1_EXAMPLE'],
  [/whsec_[\w+/]{20,}=*/g, 'whsec_ZXhhbXBsZSBvZiBhIHNpZ25pbmcgc2VjcmV0ISE='],
  [/http:\/\/127\.0\.0\.1:\d+\/social-local-data-\w+\//g, 'https://social-media.s3.us-east-1.amazonaws.com/'],
  [/\?X-Amz-.*$/g, '?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=900&X-Amz-Signature=EXAMPLE'],
  [/http:\/\/127\.0\.0\.1:\d+\/media\//g, 'https://media.example.com/media/'],
  [/http:\/\/127\.0\.0\.1:\d+\/pay\/\w+/g, 'https://checkout.stripe.com/c/pay/cs_live_a1'],
  [/http:\/\/127\.0\.0\.1:\d+\/portal\/.*$/g, 'https://billing.stripe.com/p/session/live_a1'],
  [/http:\/\/127\.0\.0\.1:\d+\/hooks\/\w+/g, story.receiver],
  [/http:\/\/127\.0\.0\.1:\d+\/face\//g, 'https://images.example.net/'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'https://api.example.com'],
  [/workspace=[\w-]+/g, `workspace=${story.slug}`],
  [/(?<=")acme(?=")|\b(?:paying|passing|acme)-\w{6}\b/g, story.slug],
  [/[a-z0-9]{12}(?:@|%40)(?:mail\.test|example\.com)/g, 'ben@bakery.example'],
]

const kinds = ['post', 'picture', 'draft', 'collection', 'memory', 'job', 'device', 'endpoint', 'delivery'] as const
const moreKinds = ['replay', 'invitation', 'export', 'workspace'] as const

/** The first unnamed id of each kind in a response is the story's, so that a created post is the post. */
const unnamed = (data: unknown, named: ReadonlySet<string>): [string, string][] => {
  const texts = textsIn(data).map(({ text }) => text)
  return [...kinds, ...moreKinds].flatMap((kind): [string, string][] => {
    const ours = story[kind]
    if (named.has(ours)) return []
    const like = kind === 'post' ? /^[0-9A-Z]{26}\d\d$/ : new RegExp(`^${ours.slice(0, 4)}\\w+$`)
    const match = texts.find((text) => like.test(text))
    if (match === undefined) return []
    // The posts of a group share what comes before the last two digits.
    return kind === 'post' ? [[match.slice(0, 26), ours.slice(0, 26)]] : [[match, ours]]
  })
}

const byKey = (key: string, value: unknown): unknown => {
  if (key === 'userAgent') return 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
  if (key === 'requestId' && value !== null) return 'JZ3a2E5jIAMFYXA='
  return key === 'name' && value === 'test' ? 'Web shop' : value
}

const shorten = (node: unknown): unknown => {
  if (Array.isArray(node)) {
    const max = JSON.stringify(node[0] ?? '').length > 1500 ? 1 : 2
    return (typeof node[0] === 'object' ? node.slice(0, max) : node).map(shorten)
  }
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, byKey(key, shorten(value))]))
}

/** The data of a response as its example: ids and texts of the story, and no more than two items of a list. */
export const settled = (data: unknown, world: World, kit: Kit): unknown => {
  const names = new Map([...world].map(([ours, theirs]) => [theirs, ours]))
  names.set(kit.user.id, story.user).set(kit.user.email, story.email).set(kit.workspaceId, story.workspace)
  names.set(kit.accounts.bluesky, examples.bluesky.account).set(kit.accounts.discord, examples.discord.account)
  const post = world.get(story.post)
  if (post !== undefined) names.set(post.slice(0, -2), story.post.slice(0, -2))
  const short = shorten(data)
  for (const [theirs, ours] of unnamed(short, new Set(names.values()))) names.set(theirs, ours)
  return mapTexts(short, (text) =>
    rules.reduce((result, [from, to]) => result.replace(from, to), replacements[text] ?? replaceAll(text, names)),
  )
}
