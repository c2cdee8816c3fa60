import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { floors } from './floors.ts'

const root = join(import.meta.dirname, '../..')

/** Imports of types count. */
const importPattern = /(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*'(\.[^']+)'/g

/** The tests of the local service are next to it, on no floor. */
const isTest = (path: string): boolean => path.startsWith('infra/local/test/')

/** The files of a part, each with the files of the same part that it imports. */
const graphOf = (part: string): Map<string, string[]> => {
  const names = readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
  const files = new Set(names.filter((name) => !isTest(join(part, name)) && !name.includes('node_modules')))
  const importsOf = (file: string): string[] =>
    [...readFileSync(join(root, part, file), 'utf8').matchAll(importPattern)]
      .map(([, path = '']) => posix.join(posix.dirname(file), path))
      .filter((path) => files.has(path))
  return new Map([...files].filter((name) => /\.tsx?$/.test(name)).map((file) => [file, importsOf(file)]))
}

/** The files of the shortest circle of imports through a file, or none. */
const circleThrough = (file: string, graph: ReadonlyMap<string, string[]>): string[] => {
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

describe.each(Object.entries(floors))('%s', (part, floorsOfPart) => {
  const graph = graphOf(part)
  const files = [...graph.keys()]
  const listed = floorsOfPart.flat()
  const folders = new Set(files.filter((file) => file.includes('/')).map((file) => file.slice(0, file.indexOf('/'))))
  const folderOf = (file: string): string => {
    const [folder = '', inside] = file.split('/', 2)
    const room = `${folder}/${inside}`
    if (listed.includes(room)) return room
    if (inside !== undefined || listed.includes(file)) return folder
    const own = folder.slice(0, -'.ts'.length)
    return folders.has(own) ? own : '.'
  }
  const floorOf = (folder: string): number => floorsOfPart.findIndex((floor) => floor.includes(folder))
  const edges = [...graph].flatMap(([file, imported]) =>
    imported.filter((path) => folderOf(path) !== folderOf(file)).map((path) => ({ file, path })),
  )

  test('every folder has one floor', () => {
    expect([...new Set(files.map(folderOf))].sort()).toEqual([...listed].sort())
  })

  test('a folder imports only from the floors below it', () => {
    expect(edges.length).toBeGreaterThan(50)
    expect([...graph.values()].flat().length).toBeGreaterThan(files.length)
    const upward = edges.filter(({ file, path }) => floorOf(folderOf(path)) >= floorOf(folderOf(file)))
    expect(upward.map(({ file, path }) => `${file} imports ${path}`)).toEqual([])
  })

  test('no import cycle exists', () => {
    const circles = new Set(
      files.map((file) => circleThrough(file, graph).join(', ')).filter((circle) => circle !== ''),
    )
    expect([...circles]).toEqual([])
  })
})

test('what publishes for real has nothing of the stand-ins in its program', () => {
  const graph = graphOf('infra/local')
  const reached = new Set(['serve/packaged.ts', 'service/host-program.ts'])
  for (const file of reached) for (const next of graph.get(file) ?? []) reached.add(next)
  expect(reached.size).toBeGreaterThan(100)
  const standIns = ['ai', 'demo', 'inbox', 'platforms', 'push', 'stripe']
  expect([...reached].filter((file) => standIns.includes(file.split('/')[0] ?? ''))).toEqual([])
})
