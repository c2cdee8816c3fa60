import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketAclCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchBucket,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onAws, startTestBucket, type TestBucket } from './start.ts'

let testBucket: TestBucket
beforeAll(async () => {
  testBucket = await startTestBucket()
})
afterAll(() => testBucket.close())

const put = (Key: string, Body: string, more: Partial<PutObjectCommandInput> = {}) =>
  testBucket.client.send(new PutObjectCommand({ Bucket: testBucket.bucket, Key, Body, ...more }))
const get = (Key: string, more = {}) =>
  testBucket.client.send(new GetObjectCommand({ Bucket: testBucket.bucket, Key, ...more }))
const head = (Key: string, more = {}) =>
  testBucket.client.send(new HeadObjectCommand({ Bucket: testBucket.bucket, Key, ...more }))
const read = async (Key: string, more = {}) => (await get(Key, more)).Body?.transformToString()
const list = (more = {}) => testBucket.client.send(new ListObjectsV2Command({ Bucket: testBucket.bucket, ...more }))

describe('writing and reading', () => {
  test('an object is returned with its bytes, headers, and metadata', async () => {
    const { ETag } = await put('plain', 'hello', {
      ContentType: 'text/plain',
      CacheControl: 'max-age=60',
      ContentDisposition: 'inline',
      ContentLanguage: 'en',
      Metadata: { owner: 'someone', 'two-words': 'a b' },
    })
    expect(ETag).toBe('"5d41402abc4b2a76b9719d911017c592"')
    const answer = await get('plain')
    expect(await answer.Body?.transformToString()).toBe('hello')
    expect(answer).toMatchObject({
      ETag,
      ContentLength: 5,
      ContentType: 'text/plain',
      CacheControl: 'max-age=60',
      ContentDisposition: 'inline',
      ContentLanguage: 'en',
      Metadata: { owner: 'someone', 'two-words': 'a b' },
      AcceptRanges: 'bytes',
    })
    expect(Math.abs((answer.LastModified?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
  })

  test('stores an empty object', async () => {
    await put('empty', '', { ContentLength: 0 })
    expect(await read('empty')).toBe('')
    expect(await head('empty')).toMatchObject({ ContentLength: 0 })
  })

  test('the last writer wins, and nothing of the earlier object remains', async () => {
    await put('twice', 'first and longer', { Metadata: { round: '1' } })
    await put('twice', 'second')
    expect(await read('twice')).toBe('second')
    expect((await head('twice')).Metadata).toEqual({})
  })

  test.each([
    'a b+c',
    'ü/ö/日本',
    'per%20cent%2F',
    "quote'(!)*",
    '/leading//double/',
    'a&b=c?d#e',
    'x;y:z@,$~',
    'a&lt;b\u0001',
  ])('stores the key %j unchanged', async (key) => {
    await put(key, key)
    expect(await read(key)).toBe(key)
    expect((await list({ Prefix: key })).Contents?.map(({ Key }) => Key)).toEqual([key])
  })

  test('returns named errors for what is missing', async () => {
    await expect(get('missing')).rejects.toBeInstanceOf(NoSuchKey)
    await expect(head('missing')).rejects.toBeInstanceOf(NotFound)
    const Bucket = `${testBucket.bucket}-no`
    await expect(testBucket.client.send(new GetObjectCommand({ Bucket, Key: 'x' }))).rejects.toBeInstanceOf(
      NoSuchBucket,
    )
    await expect(put('x', 'x', { Bucket })).rejects.toBeInstanceOf(NoSuchBucket)
  })

  test('rejects a key of more than 1024 bytes', async () => {
    await put('k'.repeat(1024), 'fits')
    await expect(put('k'.repeat(1025), 'too long')).rejects.toMatchObject({ name: 'KeyTooLongError' })
  })

  test('rejects metadata of more than 2 KB', async () => {
    await expect(put('meta', 'x', { Metadata: { long: 'x'.repeat(2048) } })).rejects.toMatchObject({
      name: 'MetadataTooLarge',
    })
  })

  test('rejects an ACL, because the bucket has ACLs disabled', async () => {
    await expect(put('acl', 'x', { ACL: 'public-read' })).rejects.toMatchObject({
      name: 'AccessControlListNotSupported',
    })
  })

  test.skipIf(onAws)('rejects unsupported features explicitly', async () => {
    await expect(testBucket.client.send(new GetBucketAclCommand({ Bucket: testBucket.bucket }))).rejects.toMatchObject({
      name: 'NotImplemented',
      $metadata: { httpStatusCode: 501 },
    })
    await expect(put('tagged', 'x', { Tagging: 'a=1' })).rejects.toMatchObject({ name: 'NotImplemented' })
  })
})

describe('ranges and conditions', () => {
  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-4', '6789', 'bytes 6-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
  ])('%s gives %s', async (Range, expected, ContentRange) => {
    await put('digits', '0123456789')
    const answer = await get('digits', { Range })
    expect(answer).toMatchObject({ ContentRange, ContentLength: expected.length, $metadata: { httpStatusCode: 206 } })
    expect(await answer.Body?.transformToString()).toBe(expected)
  })

  test('an unsatisfiable range is 416, an invalid range returns the whole object', async () => {
    await put('digits', '0123456789')
    await expect(get('digits', { Range: 'bytes=10-' })).rejects.toMatchObject({
      name: 'InvalidRange',
      $metadata: { httpStatusCode: 416 },
    })
    expect(await read('digits', { Range: 'bytes=5-2' })).toBe('0123456789')
  })

  test('If-Match and If-None-Match apply to reads', async () => {
    const { ETag } = await put('state', 'one')
    expect(await read('state', { IfMatch: ETag })).toBe('one')
    await expect(get('state', { IfMatch: '"other"' })).rejects.toMatchObject({ name: 'PreconditionFailed' })
    await expect(get('state', { IfNoneMatch: ETag })).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } })
    expect(await read('state', { IfNoneMatch: '"other"' })).toBe('one')
  })

  test('If-Modified-Since and If-Unmodified-Since apply to reads', async () => {
    await put('state', 'one')
    const before = new Date(Date.now() - 3_600_000)
    const { LastModified: at } = await head('state')
    expect(await read('state', { IfModifiedSince: before, IfUnmodifiedSince: at })).toBe('one')
    await expect(get('state', { IfModifiedSince: at })).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } })
    await expect(get('state', { IfUnmodifiedSince: before })).rejects.toMatchObject({ name: 'PreconditionFailed' })
  })

  test('If-None-Match: * creates and never overwrites', async () => {
    await put('once', 'first', { IfNoneMatch: '*' })
    await expect(put('once', 'second', { IfNoneMatch: '*' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
      $metadata: { httpStatusCode: 412 },
    })
    expect(await read('once')).toBe('first')
  })

  test('If-Match overwrites only the version that was read', async () => {
    const { ETag } = await put('swap', 'one')
    await expect(put('swap', 'two', { IfMatch: '"stale"' })).rejects.toMatchObject({ name: 'PreconditionFailed' })
    await put('swap', 'two', { IfMatch: ETag })
    expect(await read('swap')).toBe('two')
    await expect(put('never-there', 'x', { IfMatch: ETag })).rejects.toMatchObject({ name: 'NoSuchKey' })
  })
})

describe('copying and deleting', () => {
  test('a copy keeps or replaces the metadata of its source', async () => {
    await put('from here', 'body', { ContentType: 'text/css', Metadata: { a: '1' } })
    const CopySource = `${testBucket.bucket}/from%20here`
    const copy = { Bucket: testBucket.bucket, Key: 'kept', CopySource }
    const { CopyObjectResult } = await testBucket.client.send(new CopyObjectCommand(copy))
    expect(CopyObjectResult?.ETag).toBe('"841a2d689ad86bd1611447453c22c6fc"')
    expect(await head('kept')).toMatchObject({ ContentType: 'text/css', Metadata: { a: '1' } })
    const replaced = { Key: 'replaced', MetadataDirective: 'REPLACE', ContentType: 'text/html' } as const
    await testBucket.client.send(new CopyObjectCommand({ ...copy, ...replaced, Metadata: { b: '2' } }))
    expect(await head('replaced')).toMatchObject({ ContentType: 'text/html', Metadata: { b: '2' } })
    expect(await read('replaced')).toBe('body')
  })

  test('a copy requires its source, its condition, and a change when source and target are the same', async () => {
    await put('source', 'body')
    const copy = { Bucket: testBucket.bucket, Key: 'source', CopySource: `${testBucket.bucket}/source` }
    await expect(testBucket.client.send(new CopyObjectCommand(copy))).rejects.toMatchObject({ name: 'InvalidRequest' })
    const stale = new CopyObjectCommand({ ...copy, Key: 'target', CopySourceIfMatch: '"stale"' })
    await expect(testBucket.client.send(stale)).rejects.toMatchObject({ name: 'PreconditionFailed' })
    const lost = new CopyObjectCommand({ ...copy, CopySource: `${testBucket.bucket}/lost` })
    await expect(testBucket.client.send(lost)).rejects.toMatchObject({ name: 'NoSuchKey' })
  })

  test('a delete is final and can be repeated', async () => {
    await put('gone', 'x')
    for (const _ of [1, 2]) {
      await testBucket.client.send(new DeleteObjectCommand({ Bucket: testBucket.bucket, Key: 'gone' }))
    }
    await expect(get('gone')).rejects.toBeInstanceOf(NoSuchKey)
  })

  test('deletes many keys in one request, including unusual and missing ones', async () => {
    const keys = ['del/1', 'del/<&>"\'', 'del/ü']
    for (const key of keys) await put(key, key)
    const Objects = [...keys, 'del/never'].map((Key) => ({ Key }))
    const answer = await testBucket.client.send(
      new DeleteObjectsCommand({ Bucket: testBucket.bucket, Delete: { Objects } }),
    )
    expect(answer.Deleted?.map(({ Key }) => Key).sort()).toEqual([...keys, 'del/never'].sort())
    expect(answer.Errors).toBeUndefined()
    expect((await list({ Prefix: 'del/' })).KeyCount).toBe(0)
  })
})

describe('listing', () => {
  test('pages list keys in the order of UTF-8 bytes', async () => {
    const keys = ['list/B', 'list/a', 'list/\uff5e', 'list/\u{1f600}', 'list/z']
    for (const key of keys) await put(key, 'x')
    const seen: Array<string | undefined> = []
    let token: string | undefined
    do {
      const page = await list({ Prefix: 'list/', MaxKeys: 2, ...(token && { ContinuationToken: token }) })
      expect(page.KeyCount).toBeLessThanOrEqual(2)
      seen.push(...(page.Contents ?? []).map(({ Key }) => Key))
      token = page.NextContinuationToken
      expect(page.IsTruncated).toBe(token !== undefined)
    } while (token)
    expect(seen).toEqual(['list/B', 'list/a', 'list/z', 'list/\uff5e', 'list/\u{1f600}'])
  })

  test('a delimiter groups keys into prefixes, each listed once over all pages', async () => {
    for (const key of ['tree/a/1', 'tree/a/2', 'tree/b', 'tree/c/1', 'tree/c/2', 'tree/d']) await put(key, 'xyz')
    const page = { Prefix: 'tree/', Delimiter: '/' }
    const first = await list({ ...page, MaxKeys: 2 })
    expect(first.CommonPrefixes).toEqual([{ Prefix: 'tree/a/' }])
    expect(first.Contents).toMatchObject([{ Key: 'tree/b', Size: 3, ETag: '"d16fb36f0911f878998c136191af705e"' }])
    const second = await list({ ...page, MaxKeys: 1, ContinuationToken: first.NextContinuationToken })
    expect(second).toMatchObject({ CommonPrefixes: [{ Prefix: 'tree/c/' }], KeyCount: 1, IsTruncated: true })
    const third = await list({ ...page, MaxKeys: 1, ContinuationToken: second.NextContinuationToken })
    expect(third.CommonPrefixes).toBeUndefined()
    expect(third).toMatchObject({ Contents: [{ Key: 'tree/d' }], IsTruncated: false })
  })

  test('StartAfter begins after a key', async () => {
    for (const key of ['after/1', 'after/2', 'after/3']) await put(key, 'x')
    const { Contents } = await list({ Prefix: 'after/', StartAfter: 'after/2' })
    expect(Contents?.map(({ Key }) => Key)).toEqual(['after/3'])
  })
})
