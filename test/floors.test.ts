import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { floors } from './floors.ts'

const shared = join(import.meta.dirname, '../shared')

const files = readdirSync(shared, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

/** The files of shared/ that a file imports; imports of types count. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(shared, file), 'utf8').matchAll(/(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*'(\.[^']+)'/g)]
    .map(([, path = '']) => posix.join(posix.dirname(file), path))
    .filter((path) => files.includes(path))

const graph = new Map(files.map((file) => [file, importsOf(file)]))

const folderOf = (file: string): string => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '.')

const floorOf = (folder: string): number => floors.findIndex((folders) => folders.includes(folder))

const edges = [...graph].flatMap(([file, imported]) =>
  imported.filter((path) => folderOf(path) !== folderOf(file)).map((path) => ({ file, path })),
)

/** The files of the shortest circle of imports through a file, or none. */
const circleThrough = (file: string): string[] => {
  const cameFrom = new Map<string, string>()
  const queue = [file]
  for (const at of queue) {
    for (const next of graph.get(at) ?? []) {
      if (next === file) {
        const circle = [file]
        for (let back = at; back !== file; back = cameFrom.get(back) ?? file) circle.unshift(back)
        return circle.sort()
      }
      if (cameFrom.has(next)) continue
      cameFrom.set(next, at)
      queue.push(next)
    }
  }
  return []
}

test('every folder of shared/ has one floor', () => {
  const folders = new Set(files.map(folderOf))
  const listed = floors.flat()
  expect([...folders].sort()).toEqual([...listed].sort())
})

test('a folder imports only from the floors below it', () => {
  expect(edges.length).toBeGreaterThan(1_000)
  const upward = edges.filter(({ file, path }) => floorOf(folderOf(path)) >= floorOf(folderOf(file)))
  expect(upward.map(({ file, path }) => `${file} imports ${path}`)).toEqual([])
})

test('no files of shared/ import each other in a circle', () => {
  const circles = new Set(files.map((file) => circleThrough(file).join(', ')).filter((circle) => circle !== ''))
  expect([...circles]).toEqual([])
})
