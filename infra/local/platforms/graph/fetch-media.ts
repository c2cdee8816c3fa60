import { readImage } from '../../../../shared/media/inspect/image.ts'
import { sniff } from '../../../../shared/media/inspect/sniff.ts'
import { isImage, type MediaType } from '../../../../shared/media/types.ts'

/** A file that Meta has fetched, or why it could not. */
export type Fetched =
  | { kind: 'file'; type: MediaType; bytes: Buffer; aspect: number | undefined }
  | { kind: 'unreachable'; why: string }

const timeoutMs = 10_000

/** Fetches a file as Meta does: by its public address, without a redirect; its bytes decide its type. */
export async function fetchMedia(address: string): Promise<Fetched> {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return { kind: 'unreachable', why: 'not an address' }
  try {
    const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    if (answer.status !== 200) return { kind: 'unreachable', why: `HTTP ${answer.status}` }
    const bytes = Buffer.from(await answer.arrayBuffer())
    const type = sniff(bytes)
    const declared = answer.headers.get('content-type')?.split(';', 1)[0]
    if (type === undefined || declared !== type) {
      return { kind: 'unreachable', why: `the host says ${declared}, the bytes say ${type}` }
    }
    return { kind: 'file', type, bytes, aspect: aspectOf(type, bytes) }
  } catch (error) {
    return { kind: 'unreachable', why: String(error) }
  }
}

/** A video is not looked into; an image that is damaged is rejected like one that cannot be fetched. */
function aspectOf(type: MediaType, bytes: Buffer): number | undefined {
  if (!isImage(type)) return undefined
  const { width, height } = readImage(type, bytes).info
  return width / height
}
