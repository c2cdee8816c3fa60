import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { headObject } from '../../../shared/aws/bucket.ts'
import { incomingKeyOf } from '../../../shared/media/reference.ts'
import type { Kit } from '../../support/start.ts'
import { serveWatched } from '../../support/watched-service.ts'

interface File {
  bytes: Buffer
  mimeType: string
}

const send = async (kit: Kit, workspaceId: string, method: string, path: string, body?: unknown, headers = {}) => {
  const answer = await fetch(`${kit.service.baseUrl}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${kit.sessionToken}`,
      'X-Workspace-Id': workspaceId,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) }
}

/** The media library of a new workspace, as a client of its owner uses it. */
const openMediaFixture = async (kit: Kit) => {
  const ctx = kit.service.context
  const created = await send(kit, kit.workspaceId, 'POST', '/api/workspaces', { name: 'Gallery' })
  const workspaceId: string = created.body.data.id
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    send(kit, workspaceId, method, `/api/media${path}`, body, headers)
  const requestUploadUrl = ({ bytes, mimeType }: File) =>
    call('POST', '/upload-url', { filename: 'a file', mimeType, fileSize: bytes.length })
  /** Requests an upload URL and sends the file to it. */
  const upload = async (file: File): Promise<string> => {
    const { uploadUrl, storageKey } = (await requestUploadUrl(file)).body.data
    const headers = { 'Content-Type': file.mimeType }
    await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(file.bytes), headers })
    return storageKey
  }
  const complete = (storageKey: string, { bytes, mimeType }: File, over: object = {}, headers = {}) => {
    const details = { storageKey, originalFilename: 'a file', mimeType, fileSize: bytes.length, ...over }
    return call('POST', '/complete', details, headers)
  }
  const add = async (file: File, over: object = {}) => complete(await upload(file), file, over)
  const lies = async (storageKey: string) => (await headObject(ctx, storageKey)) !== undefined
  /** Whether a file waits to be completed. */
  const waits = (storageKey: string) => lies(incomingKeyOf(storageKey))
  /** Lets a file arrive past all checks, as only the service itself could. */
  const lay = async (storageKey: string, bytes: Buffer) => {
    const s3 = new S3Client({})
    await s3.send(
      new PutObjectCommand({ Bucket: ctx.env('MEDIA_BUCKET'), Key: incomingKeyOf(storageKey), Body: bytes }),
    )
    s3.destroy()
  }
  const list = async (query = '') => (await call('GET', query)).body.data
  const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id)
  return { ...kit, ctx, workspaceId, idsOf, call, requestUploadUrl, upload, complete, add, lies, waits, lay, list }
}

export type MediaFixture = Awaited<ReturnType<typeof openMediaFixture>>

/** One service for the tests of a file; each test opens its own workspace. */
export const serveMedia = () => {
  const { running, watch } = serveWatched()
  return { open: (): Promise<MediaFixture> => openMediaFixture(running()), watch }
}
