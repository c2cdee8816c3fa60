import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { definitions } from '../../shared/platforms/definitions.ts'
import { blocksOf } from '../start/snippets/blocks.ts'

const Block = z.record(z.string(), z.record(z.string(), z.unknown()))

const blockNamed = (name: string) => {
  const block = blocksOf('infra/openapi/guides/platforms.md').find(({ flags }) => flags.includes(name))
  return z.parse(Block, JSON.parse(block?.code ?? ''))
}

const takingMetadata = definitions.flatMap(({ id, rules: { metadata } }) => (metadata ? [{ id, ...metadata }] : []))

test('the guide has the least metadata of every platform that requires some', () => {
  const minimal = blockNamed('minimal')
  const required = takingMetadata.filter((platform) => platform.required)
  expect(Object.keys(minimal).sort()).toEqual(required.map(({ id }) => id).sort())
  for (const { id, schema } of required) {
    expect(z.safeParse(schema, minimal[id]).success, id).toBe(true)
    for (const name of Object.keys(minimal[id] ?? {})) {
      const { [name]: _, ...less } = minimal[id] ?? {}
      expect(z.safeParse(schema, less).success, `${id} without ${name}`).toBe(false)
    }
  }
})

test('the guide has every field that a platform takes in metadata', () => {
  const full = blockNamed('full')
  expect(Object.keys(full).sort()).toEqual(takingMetadata.map(({ id }) => id).sort())
  for (const { id, schema } of takingMetadata) {
    expect(z.safeParse(schema, full[id]).error?.issues ?? [], id).toEqual([])
    expect(Object.keys(full[id] ?? {}).sort(), id).toEqual(Object.keys(z.toJSONSchema(schema).properties ?? {}).sort())
  }
})
