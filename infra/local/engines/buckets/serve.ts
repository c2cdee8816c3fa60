import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { listingOf, s3Accesses } from '../../iam/actions/s3.ts'
import { answerError } from './answers.ts'
import { authenticate, type Credentials } from './authenticate.ts'
import { type Answer, type Call, makeCall } from './call.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { S3Error } from './error.ts'
import type { BucketGuard } from './guard.ts'
import { findOperation, nameOperation } from './operations.ts'
import { postObject } from './post-object.ts'
import type { BucketEvent } from './records.ts'
import { send } from './send.ts'
import type { Store } from './store.ts'
import { parseTarget, type Target } from './target.ts'

/** A host that stands for one bucket. */
export interface BucketSite {
  bucket: string
  /** The host that URLs are signed for, which a proxy may replace in the Host header. */
  host: string
}

export interface ServeOptions {
  store: Store
  credentials: Credentials
  now(): number
  notify(event: BucketEvent): void
  guard: BucketGuard
  site?: BucketSite | undefined
}

/** Whether a caller learns that an object is missing depends on their right to list its bucket. */
function hidden(error: unknown, call: Call): unknown {
  if (!(error instanceof S3Error) || error.code !== 'NoSuchKey') return error
  const refusal = call.refusal([listingOf(call.bucket)])
  return refusal === undefined ? error : new S3Error('AccessDenied', refusal)
}

async function run(call: Call): Promise<Answer> {
  const name = nameOperation(call)
  const operation = findOperation(name)
  const refusal = call.refusal(s3Accesses(name, call))
  if (refusal !== undefined) throw new S3Error('AccessDenied', refusal)
  try {
    return await operation(call)
  } catch (error) {
    throw hidden(error, call)
  }
}

async function answer(
  options: ServeOptions,
  incoming: IncomingMessage,
  target: Target,
  body: AsyncIterable<Uint8Array>,
): Promise<Answer> {
  const { method = '' } = incoming
  const { store, credentials, now, notify, guard, site } = options
  const headers = site === undefined ? incoming.headers : { ...incoming.headers, host: site.host }
  if (method === 'OPTIONS') return { status: 200, headers: preflightHeaders(store.bucket(target.bucket).cors, headers) }
  if (method === 'POST' && target.key === '' && target.query.length === 0) {
    return postObject({ bucket: target.bucket, store, headers, body, credentials, now, notify, guard })
  }
  const proof = authenticate({ method, target, headers }, credentials, now())
  const refusal: Call['refusal'] = (accesses) => guard(proof.scope.accessKeyId, accesses)
  return run(makeCall({ method, target, headers, proof, store, body, now, notify, refusal }))
}

/** Handles one request of any kind, including refusals. */
export async function serve(options: ServeOptions, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { headers, method = '', url = '' } = incoming
  const requestId = randomBytes(8).toString('hex').toUpperCase()
  // The SDK corrects its clock by this header, so it must have the engine's time and not the machine's.
  outgoing.setHeader('date', new Date(options.now()).toUTCString())
  outgoing.setHeader('x-amz-request-id', requestId)
  // The stream must outlive a rejection, so that the rest of the body can be read away.
  const body = incoming.iterator({ destroyOnReturn: false })
  let result: Answer
  try {
    const target = parseTarget(url, options.site?.bucket)
    const rules = options.store.buckets.get(target.bucket)?.cors ?? []
    for (const [name, value] of Object.entries(corsHeaders(rules, method, headers))) outgoing.setHeader(name, value)
    result = await answer(options, incoming, target, body)
  } catch (error) {
    result = answerError(error, url.split('?', 1)[0] ?? '', requestId)
  }
  await body.return?.()
  await send(incoming, outgoing, result)
}
