import { createHash } from 'node:crypto'

const sentences = [
  'Welcome to our bakery.',
  'Today we shape a loaf of rye.',
  'The dough rested all night.',
  'Come and taste it while it is warm.',
]

/** Bytes of a second of speech in a common recording. */
const bytesPerSecond = 8_000

/** The transcript of a stand-in: always the same for the same bytes. */
export const transcriptOf = (bytes: Uint8Array): { text: string; seconds: number } => {
  const [first = 0] = createHash('sha256').update(bytes).digest()
  const count = 2 + (first % 3)
  return { text: sentences.slice(0, count).join(' '), seconds: Math.max(1, Math.ceil(bytes.length / bytesPerSecond)) }
}
