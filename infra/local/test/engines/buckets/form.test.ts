import { text } from 'node:stream/consumers'
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readForm } from '../../../engines/buckets/form.ts'
import { inPieces } from './in-pieces.ts'
import { formAddress, signForm } from './sign-form.ts'
import { connectTo, expectRefusal, onAws, startEngine, startTestBucket, type TestBucket } from './start.ts'

let testBucket: TestBucket
let address: string
beforeAll(async () => {
  testBucket = await startTestBucket()
  address = await formAddress(testBucket.client, testBucket.bucket)
})
afterAll(() => testBucket.close())

const inMinutes = (minutes: number, from = Date.now()) => new Date(from + minutes * 60_000)

/** A form as a page would send it, with conditions for the key and what else the case needs. */
async function post(
  key: string,
  body: string,
  conditions: unknown[] = [],
  more: Record<string, string> = {},
  name = 'photo.png',
) {
  const conditionsAll = [['starts-with', '$key', 'user/'], ...conditions]
  const fields = await signForm(testBucket.client, testBucket.bucket, {
    conditions: conditionsAll,
    expiresAt: inMinutes(10),
  })
  const form = new FormData()
  for (const [field, value] of Object.entries({ key, ...fields, ...more })) form.append(field, value)
  form.append('file', new Blob([body]), name)
  return fetch(address, { method: 'POST', body: form })
}

test('a form uploads its file with type and metadata', async () => {
  const conditions = [['starts-with', '$Content-Type', 'image/'], { 'x-amz-meta-asset': 'a1' }]
  const answer = await post('user/1', 'picture', conditions, { 'Content-Type': 'image/png', 'x-amz-meta-asset': 'a1' })
  expect([answer.status, await answer.text()]).toEqual([204, ''])
  const stored = await testBucket.client.send(new GetObjectCommand({ Bucket: testBucket.bucket, Key: 'user/1' }))
  expect(stored).toMatchObject({ ContentType: 'image/png', Metadata: { asset: 'a1' } })
  expect(await stored.Body?.transformToString()).toBe('picture')
})

test('the filename variable in a key becomes the name of the file, without its folders', async () => {
  const answer = await post(`user/$\{filename}`, 'x', [], {}, 'C:\\pictures\\ü b.png')
  expect(answer.status).toBe(204)
  await testBucket.client.send(new HeadObjectCommand({ Bucket: testBucket.bucket, Key: 'user/ü b.png' }))
})

test('the length of the file must be in its range, both ends inclusive', async () => {
  const range = [['content-length-range', 3, 5]]
  expect((await post('user/3', 'abc', range)).status).toBe(204)
  expect((await post('user/5', 'abcde', range)).status).toBe(204)
  await expectRefusal(await post('user/2', 'ab', range), 400, 'EntityTooSmall')
  await expectRefusal(await post('user/6', 'abcdef', range), 400, 'EntityTooLarge')
  await expectRefusal(await post('user/large', 'x'.repeat(3_000_000), range), 400, 'EntityTooLarge')
})

test('every condition must hold', async () => {
  await expectRefusal(await post('other/1', 'x'), 403, 'AccessDenied')
  const type = [['eq', '$Content-Type', 'image/png']]
  await expectRefusal(await post('user/1', 'x', type, { 'Content-Type': 'text/html' }), 403, 'AccessDenied')
  await expectRefusal(await post('user/1', 'x', type), 403, 'AccessDenied')
})

test('rejects a field without a condition', async () => {
  await expectRefusal(await post('user/1', 'x', [], { 'Content-Type': 'image/png' }), 403, 'AccessDenied')
  expect((await post('user/1', 'x', [], { 'x-ignore-me': '1' })).status).toBe(204)
})

test('rejects a policy of another bucket', async () => {
  await expectRefusal(await post('user/1', 'x', [{ bucket: 'another' }]), 403, 'AccessDenied')
})

test('rejects a policy changed after it was signed', async () => {
  const policy = Buffer.from(JSON.stringify({ expiration: inMinutes(10), conditions: [] })).toString('base64')
  await expectRefusal(await post('user/1', 'x', [], { policy }), 403, 'SignatureDoesNotMatch')
})

test('a form needs a file and limits the size of the fields before it', async () => {
  const long = { 'x-ignore-long': 'x'.repeat(20 * 1024) }
  await expectRefusal(await post('user/1', 'x', [], long), 400, 'MaxPostPreDataLengthExceeded')
  const form = new FormData()
  form.append('key', 'user/1')
  expect((await fetch(address, { method: 'POST', body: form })).status).toBe(400)
})

test('returns the response that the form requests', async () => {
  const created = await post('user/a b', 'x', [{ success_action_status: '201' }], { success_action_status: '201' })
  expect(created.status).toBe(201)
  expect(await created.text()).toMatch(/<PostResponse.*<Key>user\/a b<\/Key>/s)
})

test.skipIf(onAws)('a policy ends at its expiration', async () => {
  const { buckets, pass, clock } = await startEngine()
  buckets.create('bucket')
  const client = connectTo(buckets)
  const conditions = [{ key: 'k' }]
  const fields = await signForm(client, 'bucket', { conditions, expiresAt: inMinutes(10, clock.now()) })
  const send = () => {
    const form = new FormData()
    for (const [field, value] of Object.entries({ ...fields, key: 'k' })) form.append(field, value)
    form.append('file', new Blob(['x']))
    return fetch(`${buckets.url}/bucket`, { method: 'POST', body: form })
  }
  expect((await send()).status).toBe(204)
  pass(11 * 60_000)
  await expectRefusal(await send(), 403, 'AccessDenied')
  await buckets.close()
})

test('parses the file of a form split anywhere on the wire, and rejects a truncated form', async () => {
  const head = (more: string) => `--b\r\nContent-Disposition: form-data; name=${more}\r\n\r\n`
  const file = fc
    .array(fc.constantFrom('\r\n', '--', '--b', '\r\n--', 'x'), { maxLength: 20 })
    .map((parts) => parts.join(''))
  const legal = file.filter((content) => !content.includes('\r\n--b'))
  await fc.assert(
    fc.asyncProperty(legal, fc.array(fc.nat(200), { maxLength: 12 }), fc.nat(), async (content, cuts, at) => {
      const whole = Buffer.from(`${head('"key"')}k\r\n${head('"file"; filename="f"')}${content}\r\n--b--\r\n`)
      const read = async (bytes: Buffer) => {
        const form = await readForm('multipart/form-data; boundary=b', inPieces(bytes, cuts))
        return [form.fields.get('key'), form.fileName, await text(form.file)]
      }
      expect(await read(whole)).toEqual(['k', 'f', content])
      const end = whole.length - '--\r\n'.length
      await expect(read(whole.subarray(0, at % end))).rejects.toMatchObject({ code: 'IncompleteBody' })
    }),
  )
})
