const signatures: readonly { type: string; at: number; bytes: string }[] = [
  { type: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { type: 'image/gif', at: 0, bytes: 'GIF8' },
  { type: 'image/webp', at: 8, bytes: 'WEBP' },
  { type: 'video/mp4', at: 4, bytes: 'ftyp' },
]

/** The type that the bytes show, if they show one. */
export function sniffType(bytes: Buffer): string | undefined {
  return signatures.find(({ at, bytes: magic }) => bytes.toString('latin1', at, at + magic.length) === magic)?.type
}
