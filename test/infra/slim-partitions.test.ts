import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { dropKnownRegions } from '../../infra/slim/partitions.ts'

interface Info {
  partitions: { id: string; regionRegex: string; regions: Record<string, object>; outputs: object }[]
}

const folder = dirname(createRequire(import.meta.url).resolve('@aws-sdk/core/package.json'))
const module = await readFile(join(folder, 'dist-es/submodules/client/util-endpoints/lib/aws/partitions.js'), 'utf8')
const infoOf = (text: string): Info => JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))

/** As the SDK finds the partition of a region: by name, then by pattern (`partition.js` beside it). */
const partitionOf = ({ partitions }: Info, region: string) =>
  partitions.find(({ regions }) => Object.hasOwn(regions, region)) ??
  partitions.find(({ regionRegex }) => new RegExp(regionRegex).test(region))

test('every region of AWS keeps its partition, with the same suffixes', () => {
  const [whole, slim] = [infoOf(module), infoOf(dropKnownRegions(module))]
  const regions = whole.partitions.flatMap((partition) => Object.keys(partition.regions))
  expect(regions.length).toBeGreaterThan(40)
  for (const region of [...regions, 'us-east-99', 'mars-north-1']) {
    const [before, after] = [partitionOf(whole, region), partitionOf(slim, region)]
    expect([after?.id, after?.outputs], region).toEqual([before?.id, before?.outputs])
  }
  expect(dropKnownRegions(module).length).toBeLessThan(module.length / 3)
})

test('a list of another form is an error, not an empty list', () => {
  expect(() => dropKnownRegions('export const partitionsInfo = load()')).toThrow('another form')
})
