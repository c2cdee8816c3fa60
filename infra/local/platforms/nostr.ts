import { base32nopad, bech32 } from '@scure/base'
import { personOf, type StoredEvent } from './nostr/event.ts'
import { openMedia } from './nostr/media.ts'
import { nostrRefusals } from './nostr/refuse.ts'
import { openRelay } from './nostr/relay.ts'
import { nostrSeed } from './nostr/seed.ts'
import type { Platform, PublicMedia, PublicPost, SimulatorContext, StandIn } from './standin.ts'

export { nostrSeed } from './nostr/seed.ts'

/** A relay, or several, and a media server: what one address of Nostr is to its callers. */
export const nostr: Platform = {
  id: 'nostr',
  name: 'Nostr',
  tint: '#8e30eb',
  maxBodyBytes: 100_000_000,
  login: { secretKey: nostrSeed.people[0].nsec, mediaServer: nostrSeed.mediaServer },
  build,
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const fiveBitsOf = (bytes: Uint8Array) => [...base32nopad.encode(bytes)].map((letter) => letters.indexOf(letter))

function build(context: SimulatorContext): StandIn {
  const relay = openRelay(context)
  const media = openMedia(context)
  /** The address that shows a post: it names the relay that has it, and the author. */
  const urlOf = (id: string, author: string) => {
    const parts = [
      [0, Buffer.from(id, 'hex')],
      [1, Buffer.from(context.url.replace(/^http/, 'ws'))],
      [2, Buffer.from(author, 'hex')],
    ] as const
    const bytes = Uint8Array.from(parts.flatMap(([type, value]) => [type, value.length, ...value]))
    return `https://njump.me/${bech32.encode('nevent', fiveBitsOf(bytes), false)}`
  }
  const toPublicPost = ({ event, receivedAt }: { event: StoredEvent; receivedAt: number }): PublicPost => {
    const { text, addresses } = partsOf(event)
    const files = addresses.map((address) => fileOf(event, address, media.typeOf))
    const parent = event.tags.findLast(([name]) => name === 'e')
    return {
      account: personOf(event.pubkey)?.npub ?? event.pubkey,
      text,
      media: files,
      replyTo: parent === undefined ? null : urlOf(parent[1] ?? '', parent[4] ?? ''),
      url: urlOf(event.id, event.pubkey),
      publishedAt: receivedAt,
      extras: extrasOf(event),
    }
  }
  return {
    routes: [...relay.routes, ...media.routes],
    sockets: relay.sockets,
    refusals: nostrRefusals,
    headers: () => ({}),
    posts: () => relay.posts().map(toPublicPost),
    other: relay.other,
  }
}

const isOf = (address: string) => (tag: readonly string[]) => tag[0] === 'imeta' && tag.includes(`url ${address}`)

/** The text of a post, and the addresses of files below it. */
function partsOf({ content, tags }: StoredEvent): { text: string; addresses: readonly string[] } {
  const lines = content.split('\n')
  const addresses: string[] = []
  while (tags.some(isOf(lines.at(-1) ?? ''))) addresses.unshift(lines.pop() ?? '')
  return { text: lines.join('\n'), addresses }
}

/** The file at an address, from its tag: `imeta`, then names with their values. */
function fileOf({ tags }: StoredEvent, address: string, typeOf: (hash: string) => string): PublicMedia {
  const tag = tags.find(isOf(address)) ?? []
  const valueIn = (name: string) => tag.find((part) => part.startsWith(`${name} `))?.slice(name.length + 1) ?? ''
  const key = valueIn('x')
  return { key, type: typeOf(key), alt: valueIn('alt') }
}

const shown: Readonly<Record<string, (value: string) => string>> = {
  'content-warning': (value) => `warning: ${value}`,
  q: (value) => `quotes ${value}`,
  t: (value) => `#${value}`,
}

/** The warning, the quotes, and the hashtags of a post, one line each. */
function extrasOf({ tags }: StoredEvent): string[] {
  return tags.flatMap(([name = '', value = '']) => shown[name]?.(value) ?? [])
}
