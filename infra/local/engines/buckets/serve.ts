import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerError } from './answers.ts'
import { authenticate, type Credentials } from './authenticate.ts'
import { type Answer, makeCall } from './call.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { findOperation } from './operations.ts'
import { postObject } from './post-object.ts'
import type { BucketEvent } from './records.ts'
import { send } from './send.ts'
import type { Store } from './store.ts'
import { parseTarget, type Target } from './target.ts'

export interface ServeOptions {
  store: Store
  credentials: Credentials
  now(): number
  notify(event: BucketEvent): void
}

async function answer(
  options: ServeOptions,
  incoming: IncomingMessage,
  target: Target,
  body: AsyncIterable<Uint8Array>,
): Promise<Answer> {
  const { headers, method = '' } = incoming
  const { store, credentials, now, notify } = options
  if (method === 'OPTIONS') return { status: 200, headers: preflightHeaders(store.bucket(target.bucket).cors, headers) }
  if (method === 'POST' && target.key === '' && target.query.length === 0) {
    return postObject({ bucket: target.bucket, store, headers, body, credentials, now, notify })
  }
  const proof = authenticate({ method, target, headers }, credentials, now())
  const call = makeCall({ method, target, headers, proof, store, body, now, notify })
  return findOperation(call)(call)
}

/** Answers one request of any kind, refusals included. */
export async function serve(options: ServeOptions, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { headers, method = '', url = '' } = incoming
  const requestId = randomBytes(8).toString('hex').toUpperCase()
  // The SDK corrects its clock by this header, so it must tell the engine's time and not the machine's.
  outgoing.setHeader('date', new Date(options.now()).toUTCString())
  outgoing.setHeader('x-amz-request-id', requestId)
  // The stream must outlive a rejection, so that the rest of the body can be read away.
  const body = incoming.iterator({ destroyOnReturn: false })
  let result: Answer
  try {
    const target = parseTarget(url)
    const rules = options.store.buckets.get(target.bucket)?.cors ?? []
    for (const [name, value] of Object.entries(corsHeaders(rules, method, headers))) outgoing.setHeader(name, value)
    result = await answer(options, incoming, target, body)
  } catch (error) {
    result = answerError(error, url.split('?', 1)[0] ?? '', requestId)
  }
  await body.return?.()
  await send(incoming, outgoing, result)
}
