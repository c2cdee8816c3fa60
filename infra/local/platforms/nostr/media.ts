import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import { mediaHeaders } from '../media-headers.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import { forgedBecause, StoredEvent } from './event.ts'
import { refuse } from './refuse.ts'

interface Blob {
  hash: string
  type: string
}

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
}

/** A Blossom server: files under their hashes (BUD-02), for those who prove who they are (BUD-11). */
export function openMedia({ clock, blobs, keep, url }: SimulatorContext) {
  const files = keep<Blob>('files')

  function assertAllowed({ headers }: Call, hash: string): void {
    const [, token = ''] = /^Nostr ([\w-]+)$/.exec(headers['authorization'] ?? '') ?? []
    const json = Buffer.from(token, 'base64url').toString()
    const event = parse(json) ?? refuse(401, 'Authorization is missing')
    const all = (name: string) => event.tags.filter(([tag]) => tag === name).map(([, value]) => value)
    const nowSeconds = clock.now() / 1000
    if (event.kind !== 24_242 || forgedBecause(event) !== undefined) refuse(401, 'Authorization is not valid')
    if (event.content === '' || !all('t').includes('upload')) refuse(401, 'Authorization is for something else')
    if (event.created_at > nowSeconds || !(Number(all('expiration')[0]) > nowSeconds))
      refuse(401, 'Authorization expired')
    if (!all('x').includes(hash)) refuse(401, 'Authorization is for another file')
  }
  function upload(call: Call): Answer {
    const hash = createHash('sha256').update(call.body).digest('hex')
    assertAllowed(call, hash)
    if ((call.headers['x-sha-256'] ?? hash) !== hash) refuse(409, 'X-SHA-256 does not match')
    const type = call.headers['content-type'] ?? 'application/octet-stream'
    const status = files.get(hash) === undefined ? 201 : 200
    blobs.put(hash, call.body)
    files.set(hash, { hash, type })
    const address = `${url}/${hash}.${extensions[type] ?? 'bin'}`
    const uploaded = Math.floor(clock.now() / 1000)
    return { status, body: { url: address, sha256: hash, size: call.body.length, type, uploaded } }
  }
  function download({ params }: Call): Answer {
    const [hash = ''] = (params['file'] ?? '').split('.')
    const file = files.get(hash)
    const body = file && blobs.get(hash)
    return body ? { status: 200, headers: mediaHeaders(file.type), body } : refuse(404, 'Blob not found')
  }
  const routes: Route[] = [
    { method: 'PUT', path: '/upload', operation: 'upload', answer: upload },
    { method: 'GET', path: '/:file', operation: 'file', answer: download },
  ]
  return { routes, typeOf: (hash: string) => files.get(hash)?.type ?? 'application/octet-stream' }
}

function parse(json: string): StoredEvent | undefined {
  try {
    return z.safeParse(StoredEvent, JSON.parse(json)).data
  } catch {
    return undefined
  }
}
