import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleOptions } from '../../infra/deploy/bundle.ts'
import { type Bedrock, startBedrock } from '../../infra/local/engines/bedrock.ts'
import { startVectors, type Vectors } from '../../infra/local/engines/vectors.ts'
import { setProcessEnvironment } from '../../infra/local/service/environment.ts'
import type * as embeddingPort from '../../shared/aws/embeddings.ts'
import type * as vectorPort from '../../shared/aws/vectors.ts'
import { makeContext } from '../../shared/context.ts'
import { settings, synthesize } from './synth.ts'

const types = (resources: Readonly<Record<string, { Type: string }>>) =>
  Object.values(resources).map(({ Type }) => Type)

test('vectors and a model exist only when configured, because they cost money', () => {
  const { memorySearch: _, aiText: __, ...lexical } = settings
  const without = synthesize({ ...lexical, baseUrl: settings.baseUrl })
  expect(types(without.data).filter((type) => type.startsWith('AWS::S3Vectors'))).toEqual([])
  expect(JSON.stringify(without.app)).not.toMatch(/bedrock:|s3vectors:/)
  const { data, app } = synthesize({ ...settings, embeddingDimensions: 512 })
  const index = Object.values(data).find(({ Type }) => Type === 'AWS::S3Vectors::Index')
  expect(index).toMatchObject({
    DeletionPolicy: 'Delete',
    Properties: { Dimension: 512, DistanceMetric: 'cosine', DataType: 'float32' },
  })
  expect(index?.Properties['IndexName']).toMatch(/^memories-[0-9a-f]{8}-512$/)
  expect(JSON.stringify(app)).toContain(':foundation-model/amazon.titan-embed-text-v2:0')
})

let folder: string
let embeddings: Bedrock
let vectors: Vectors
let restore: () => void
let embed: typeof embeddingPort.embed
let port: typeof vectorPort
const ctx = makeContext({
  EMBEDDING_MODEL: 'amazon.titan-embed-text-v2:0',
  EMBEDDING_DIMENSIONS: '256',
  VECTOR_BUCKET: 'b',
  VECTOR_INDEX: 'i',
})

beforeAll(async () => {
  ;[embeddings, vectors] = await Promise.all([startBedrock({}), startVectors({ clock: Date })])
  vectors.create('b', 'i', 256)
  restore = setProcessEnvironment({
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'example',
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: embeddings.url,
    AWS_ENDPOINT_URL_S3VECTORS: vectors.url,
  })
  folder = await mkdtemp(join(tmpdir(), 'social-search-'))
  const names = ['embeddings', 'vectors']
  const entryPoints = names.map((name) => join(import.meta.dirname, `../../shared/aws/${name}.ts`))
  await build({ ...bundleOptions, entryPoints, outdir: folder, outExtension: { '.js': '.cjs' } })
  const load = createRequire(import.meta.url)
  ;({ embed } = load(join(folder, 'embeddings.cjs')))
  port = load(join(folder, 'vectors.cjs'))
})
afterAll(async () => {
  restore()
  await Promise.all([embeddings.close(), vectors.close(), rm(folder, { recursive: true, force: true })])
})

const scope = { workspaceId: 'ws', collectionIds: ['c'] }
const place = async (id: string, workspaceId: string, collectionId: string, text = id) => ({
  id,
  workspaceId,
  collectionId,
  values: await embed(ctx, text),
})

test('the slim clients embed texts and find neighbors only in the given workspace and collections', async () => {
  const own = await Promise.all(['bread and butter', 'trains and buses'].map((text) => place(text, 'ws', 'c')))
  const others = [await place('x', 'ws', 'other', 'bread'), await place('y', 'foreign', 'c', 'bread')]
  await port.putVectors(ctx, [...own, ...others])
  await port.putVectors(ctx, own)
  const found = await port.queryVectors(ctx, scope, await embed(ctx, 'butter bread'))
  expect(found.map(({ id }) => id)).toEqual(['bread and butter', 'trains and buses'])
  expect(found[0]?.cosine).toBeGreaterThan(0.5)
  await port.deleteVectors(ctx, ['bread and butter', 'never there'])
  expect(vectors.keys('b', 'i').sort()).toEqual(['trains and buses', 'x', 'y'])
  while ((await port.sweepVectors(ctx, { workspaceId: 'ws' })) > 0);
  expect(vectors.keys('b', 'i')).toEqual(['y'])
})

test('errors keep their names, and transient ones are retried', async () => {
  embeddings.refuseNext(2)
  expect(await embed(ctx, 'a text')).toHaveLength(256)
  vectors.refuseNext(1)
  expect(await port.queryVectors(ctx, scope, await embed(ctx, 'bread'))).toEqual([])
  const wrong = { id: 'z', workspaceId: 'ws', collectionId: 'c', values: [1, 2, 3] }
  await expect(port.putVectors(ctx, [wrong])).rejects.toMatchObject({ name: 'ValidationException' })
  const many = Array.from({ length: 501 }, (_, n) => ({ ...wrong, id: `${n}`, values: Array(256).fill(1) }))
  await expect(port.putVectors(ctx, many)).rejects.toMatchObject({ name: 'ValidationException' })
  const elsewhere = makeContext({ VECTOR_BUCKET: 'b', VECTOR_INDEX: 'none', EMBEDDING_DIMENSIONS: '256' })
  await expect(port.queryVectors(elsewhere, scope, wrong.values)).rejects.toMatchObject({ name: 'NotFoundException' })
  await expect(embed(ctx, '')).rejects.toMatchObject({ name: 'ValidationException' })
})
