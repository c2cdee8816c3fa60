import { randomUUID } from 'node:crypto'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { RecordedCall } from '../../infra/local/platforms/calls.ts'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import type { MediaFile } from '../../shared/media/media-file.ts'
import type { ConnectedAccount, Connection } from '../../shared/platforms/account.ts'
import type { PlatformAdapter, PlatformCall, PreparedRef } from '../../shared/platforms/adapter.ts'
import { clientKeyOf } from '../../shared/platforms/adapters.ts'
import type { Connector } from '../../shared/platforms/connector.ts'
import { film, gif, jpeg, png } from '../media/files.ts'
import { startSite } from './site.ts'

/** What every test of one of Meta's platforms stands on. */
export async function startGraphSite(
  id: 'threads' | 'instagram' | 'facebook',
  platform: PlatformAdapter,
  connector: Connector,
) {
  const site = await startSite()
  const { platforms } = site
  const s3 = new S3Client({ forcePathStyle: true })
  const redirectUri = `https://service.test/api/social-accounts/connect/${id}/callback`

  /** A file at the media host, of the declared type. */
  const put = async (bytes: Buffer, mimeType: string, more: Partial<MediaFile> = {}): Promise<MediaFile> => {
    const storageKey = `media/uploads/ws_1/${randomUUID()}`
    await s3.send(new PutObjectCommand({ Bucket: 'media', Key: storageKey, Body: bytes, ContentType: mimeType }))
    return { id: storageKey, storageKey, mimeType, fileSize: bytes.length, originalFilename: 'file', ...more }
  }
  const files = {
    jpeg: (more?: Partial<MediaFile>, width = 800, height = 800) => put(jpeg(width, height), 'image/jpeg', more),
    png: (more?: Partial<MediaFile>, width = 800, height = 800) => put(png(width, height), 'image/png', more),
    gif: () => put(gif(8, 8), 'image/gif'),
    mp4: (more?: Partial<MediaFile>) => put(film('isom', 'mp42'), 'video/mp4', more),
    put,
  }

  /** Goes to the platform's page as a person and comes back with the query it gives. */
  const comeBack = async (change: { answer?: string; person?: string; scope?: string } = {}) => {
    const ctx = site.ctx()
    const address = new URL(
      await connector.authorizationUrl(ctx, { state: 'the-state', codeChallenge: 'unused', redirectUri }),
    )
    if (change.scope !== undefined) address.searchParams.set('scope', change.scope)
    const body = new URLSearchParams({ answer: change.answer ?? 'allow', person: change.person ?? '' })
    const sentBack = await fetch(address, { method: 'POST', body, redirect: 'manual' })
    return { ctx, address, back: new URL(sentBack.headers.get('location') ?? 'https://nowhere.test') }
  }
  const callbackOf = (back: URL) => ({ code: back.searchParams.get('code') ?? '', redirectUri, codeVerifier: 'unused' })
  const connect = async (change?: Parameters<typeof comeBack>[0]): Promise<readonly Connection[]> => {
    const { ctx, back } = await comeBack(change)
    return connector.connect(ctx, callbackOf(back))
  }

  const accountFrom = ({ externalId, username, credentials, details }: Connection): ConnectedAccount => ({
    id: 'acc_1',
    workspaceId: 'ws_1',
    externalId,
    username,
    credentials,
    details,
  })

  /** A post of the first account that a login gives. */
  const open = async (post: Partial<PlatformCall['post']> = {}): Promise<PlatformCall> => {
    const [first] = await connect()
    if (!first) throw new Error('nothing was connected')
    return { ctx: site.ctx(), account: accountFrom(first), post: site.post(post) }
  }

  /** Prepares step by step, passing the time that each step requires. */
  const prepare = async (call: PlatformCall, from?: PreparedRef) => {
    const waits: number[] = []
    let resume = from
    for (let step = 0; step < 60; step += 1) {
      const done = await platform.prepare?.(call, resume)
      if (!done) throw new Error('nothing to prepare')
      if ('ready' in done) return { ...done, waits }
      waits.push(done.waitSeconds)
      // As the row keeps it.
      resume = JSON.parse(JSON.stringify(done.resume))
      site.pass(done.waitSeconds * 1000)
    }
    throw new Error('it never became ready')
  }
  const publish = async (call: PlatformCall) => {
    const { ready } = await prepare(call)
    return platform.commit(call, ready, clientKeyOf(platform, call.post), await platform.build?.(call, ready))
  }
  const armed = async (call: PlatformCall) => {
    const { ready: ref } = await prepare(call)
    return { clientKey: clientKeyOf(platform, call.post), ref, startedAtMs: site.now() }
  }

  const own = () => platforms.calls().filter((call) => call.platform === id)
  return {
    ...site,
    files,
    redirectUri,
    comeBack,
    callbackOf,
    connect,
    accountFrom,
    open,
    prepare,
    publish,
    armed,
    fault: (more: Partial<FaultInput> & Pick<FaultInput, 'fault'>) =>
      platforms.faults.add({ platform: id, operation: 'create', times: 1, ...more }),
    operations: () => own().map(({ operation }) => operation),
    /** The calls of an operation: method, path and fields, without the token. */
    golden: (operation: string) =>
      own()
        .filter((call) => call.operation === operation)
        .map(plainly),
    calls: own,
    async close() {
      s3.destroy()
      await site.close()
    },
  }
}

/** A call as the reference writes it. */
function plainly({ method, path, query, body }: RecordedCall) {
  const fields = Object.fromEntries(new URLSearchParams(method === 'GET' ? query : body.toString()))
  delete fields['access_token']
  return { method, path, fields }
}
