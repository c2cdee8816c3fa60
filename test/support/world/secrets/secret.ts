/** What a secret is, and so where it may be seen. */
export type Kind =
  | 'password'
  /** Handed out by one answer. */
  | 'token'
  | 'code'
  /** Handed out by a mail or a platform, and brought along by whoever follows it. */
  | 'link'
  /** In every page that a visitor sees. */
  | 'form key'
  /** What messages are sent to a device with: in the row of its person, and nowhere else. */
  | 'device'
  /** The operator's, the platforms' and the keys': for no one outside. */
  | 'ours'

export interface Secret {
  kind: Kind
  /** What it is the secret of. */
  name: string
  text: string
  /** Other bytes than those of the text, for a key. */
  bytes?: Uint8Array
}

/** Base64 of bytes wherever they begin in a longer text: what surrounds them changes only the ends. */
const base64Inside = (bytes: Buffer): string[] =>
  [0, 1, 2].map((shift) => {
    const all = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '')
    const mixed = (shift + bytes.length) % 3 === 0 ? 0 : 1
    return all.slice(shift === 0 ? 0 : shift + 1, all.length - mixed)
  })

const urlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')

const inForm = (text: string) => String(new URLSearchParams({ _: text })).slice(2)
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** All forms in which a secret can lie in a text. */
export const formsOf = ({ text, bytes }: Secret): string[] => {
  const raw = Buffer.from(bytes ?? Buffer.from(text, 'utf8'))
  const encoded = base64Inside(raw)
  const hex = raw.toString('hex')
  // Of our own tokens the middle part alone is the secret.
  const inner = /^svc_\w{3}_\w+?_(\w{43})/.exec(text)?.[1]
  const plain = bytes === undefined ? [text, ...(inner === undefined ? [] : [inner])] : []
  const all = [
    ...plain,
    ...plain.map(encodeURIComponent),
    ...plain.map(inForm),
    ...plain.map(inJson),
    ...plain.map(inJson).map(inJson),
    ...encoded,
    ...encoded.map(urlSafe),
    hex,
    hex.toUpperCase(),
  ]
  return [...new Set(all)].filter((form) => form.length >= shortest)
}

/** A shorter form would be found by chance. */
export const shortest = 8
