import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import type { StoredMap } from '../stored-map.ts'
import { isTid, recordId, tidAt } from './ids.ts'
import { checkRecord, isGate } from './lexicon.ts'
import { readInput, readParam, refuse } from './refuse.ts'
import { type BlueskyAccount, findAccount } from './seed.ts'
import type { Authenticate } from './sessions.ts'
import { findBlobs } from './shown-media.ts'
import type { Uploads } from './uploads.ts'

/** One record of someone's repository. */
export interface StoredRecord {
  did: string
  collection: string
  rkey: string
  uri: string
  cid: string
  value: Record<string, unknown>
  firstPutAt: number
}

export const postCollection = 'app.bsky.feed.post'

const RecordKey = z.object({ repo: z.string(), collection: z.string(), rkey: z.string().check(z.minLength(1)) })
const Put = z.extend(RecordKey, { record: z.record(z.string(), z.unknown()) })
const Writes = z.object({
  repo: z.string(),
  writes: z.array(
    z.object({
      $type: z.literal('com.atproto.repo.applyWrites#create'),
      collection: z.string(),
      rkey: z.string().check(z.minLength(1)),
      value: z.record(z.string(), z.unknown()),
    }),
  ),
})
const Create = z.extend(Put, { rkey: z.optional(RecordKey.shape.rkey) })

/** Records: put with a client key (the same content again changes nothing), created with a new one, read, listed, deleted. */
export function openRecords(
  { clock, keep }: SimulatorContext,
  authenticate: Authenticate,
  uploads: Uploads,
): { routes: Route[]; records: StoredMap<StoredRecord>; other(did: string, text: string): void } {
  const records = keep<StoredRecord>('records')
  const isUsed = (cid: string) =>
    records.values().some((record) => findBlobs(record.value).some((blob) => blob.cid === cid))
  let lastRev = 0n

  function commit(): { cid: string; rev: string } {
    const now = BigInt(clock.now()) * 1000n
    lastRev = now > lastRev ? now : lastRev + 1n
    const rev = tidAt(lastRev)
    return { cid: recordId({ rev }), rev }
  }
  function ownRepo(call: Call, repo: string): BlueskyAccount {
    const account = authenticate(call)
    if (findAccount(repo)?.did !== account.did) refuse(401, 'AuthenticationRequired', 'Authentication Required')
    return account
  }

  function checkBlobs(did: string, record: Record<string, unknown>): void {
    for (const blob of findBlobs(record)) {
      const { mimeType, size } = uploads.find(did, blob.cid, isUsed)
      if (mimeType !== blob.mimeType) refuse(400, 'InvalidMimeType', `The blob is ${mimeType}, not ${blob.mimeType}`)
      if (size !== blob.size) refuse(400, 'InvalidSize', `The blob has ${size} bytes, not ${blob.size}`)
    }
  }

  /** All writes or none; an existing record aborts them with a server error (PDS source, MST.add, 2026-08). */
  function applyWrites(call: Call): Answer {
    const { repo, writes } = readInput(call, Writes)
    const { did } = ownRepo(call, repo)
    const made = writes.map(({ collection, rkey, value }) => {
      const validationStatus = check(collection, rkey, value)
      checkBlobs(did, value)
      const uri = `at://${did}/${collection}/${rkey}`
      if (records.get(uri) !== undefined) refuse(500, 'InternalServerError', 'Internal Server Error')
      return { validationStatus, stored: { did, collection, rkey, uri, cid: recordId(value), value } }
    })
    for (const { stored } of made) records.set(stored.uri, { ...stored, firstPutAt: clock.now() })
    const results = made.map(({ validationStatus, stored: { uri, cid } }) => ({
      $type: 'com.atproto.repo.applyWrites#createResult',
      uri,
      cid,
      validationStatus,
    }))
    return { status: 200, body: { commit: commit(), results } }
  }

  const put = (call: Call): Answer => write(call, readInput(call, Put))
  function create(call: Call): Answer {
    const { rkey = commit().rev, ...rest } = readInput(call, Create)
    return write(call, { rkey, ...rest })
  }
  function write(call: Call, { repo, collection, rkey, record }: z.infer<typeof Put>): Answer {
    const { did } = ownRepo(call, repo)
    const validationStatus = check(collection, rkey, record)
    checkBlobs(did, record)
    const uri = `at://${did}/${collection}/${rkey}`
    const cid = recordId(record)
    const before = records.get(uri)
    if (before?.cid === cid) return { status: 200, body: { uri, cid, validationStatus } }
    const firstPutAt = before?.firstPutAt ?? clock.now()
    records.set(uri, { did, collection, rkey, uri, cid, value: record, firstPutAt })
    return { status: 200, body: { uri, cid, commit: commit(), validationStatus } }
  }
  function other(did: string, text: string): void {
    const rkey = tidAt(BigInt(clock.now()) * 1000n + BigInt(records.values().length))
    const uri = `at://${did}/${postCollection}/${rkey}`
    const value = { $type: postCollection, text, createdAt: new Date(clock.now()).toISOString() }
    const cid = recordId(value)
    records.set(uri, { did, collection: postCollection, rkey, uri, cid, value, firstPutAt: clock.now() })
  }
  function remove(call: Call): Answer {
    const { repo, collection, rkey } = readInput(call, RecordKey)
    const { did } = ownRepo(call, repo)
    const existed = records.delete(`at://${did}/${collection}/${rkey}`)
    return { status: 200, body: existed ? { commit: commit() } : {} }
  }
  function get(call: Call): Answer {
    const uri = `at://${repoOf(call).did}/${readParam(call, 'collection')}/${readParam(call, 'rkey')}`
    const record = records.get(uri)
    if (record === undefined) return refuse(400, 'RecordNotFound', `Could not locate record: ${uri}`)
    return { status: 200, body: { uri, cid: record.cid, value: record.value } }
  }
  function list(call: Call): Answer {
    const { did } = repoOf(call)
    const collection = readParam(call, 'collection')
    const limit = Number(call.query.get('limit') ?? 50)
    if (!Number.isInteger(limit) || limit < 1 || limit > 100) refuse(400, 'InvalidRequest', 'limit must be 1 to 100')
    const cursor = call.query.get('cursor') ?? '~'
    const own = records.values().filter((record) => record.did === did && record.collection === collection)
    const rest = own.filter((record) => record.rkey < cursor).toSorted((a, b) => (a.rkey < b.rkey ? 1 : -1))
    const page = rest.slice(0, limit)
    const next = rest.length > limit ? page.at(-1)?.rkey : undefined
    return { status: 200, body: { cursor: next, records: page.map(({ uri, cid, value }) => ({ uri, cid, value })) } }
  }

  const repo = '/xrpc/com.atproto.repo'
  const routes: Route[] = [
    { method: 'POST', path: `${repo}.putRecord`, operation: 'create', answer: put },
    { method: 'POST', path: `${repo}.createRecord`, operation: 'create', answer: create },
    { method: 'POST', path: `${repo}.applyWrites`, operation: 'create', answer: applyWrites },
    { method: 'POST', path: `${repo}.deleteRecord`, operation: 'delete', answer: remove },
    { method: 'GET', path: `${repo}.getRecord`, operation: 'read', answer: get },
    { method: 'GET', path: `${repo}.listRecords`, operation: 'read', answer: list },
  ]
  return { routes, records, other }
}

function repoOf(call: Call): BlueskyAccount {
  const repo = readParam(call, 'repo')
  return findAccount(repo) ?? refuse(400, 'InvalidRequest', `Could not find repo: ${repo}`)
}

function check(collection: string, rkey: string, record: Record<string, unknown>): 'valid' | 'unknown' {
  if (collection !== postCollection && !isGate(collection)) return 'unknown'
  checkRecord(collection, record)
  if (!isTid(rkey)) refuse(400, 'InvalidRequest', `Invalid record key for ${collection}: Invalid TID string`)
  return 'valid'
}
