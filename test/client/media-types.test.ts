import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../../infra/clients/javascript/src/index.ts'
import { refusalOf } from '../../infra/clients/javascript/src/media-types.ts'
import { fileFromStream } from '../../infra/clients/javascript/src/node.ts'
import { buildPythonPackage } from '../../infra/commands/client-python.ts'
import { type MediaType, maxBytesOf, mediaTypes, typeByEnding } from '../../shared/media/types.ts'

const known = [...typeByEnding].filter(([, type]) => type !== 'other')
const names = [...known.map(([ending]) => `a file.${ending.toUpperCase()}`), 'a', '.', '.mp4', 'mp4', 'a.constructor']
const byService = names.map((name) => {
  const [, ending = ''] = /\.(\w+)$/.exec(name.toLowerCase()) ?? []
  return typeByEnding.get(ending) ?? 'application/octet-stream'
})

/** The type that the JavaScript client announces of a file. */
const announced = async (...[source, options]: Parameters<ReturnType<typeof createClient>['media']['upload']>) => {
  const bodies: string[] = []
  const answer = (body: unknown) => {
    bodies.push(String(body))
    return Promise.resolve(Response.json({}, { status: 400 }))
  }
  const client = createClient({ baseUrl: 'http://announced.test', token: 't', fetch: (_, init) => answer(init?.body) })
  await expect(client.media.upload(source, options)).rejects.toThrow('status 400')
  return JSON.parse(bodies[0] ?? '{}').mimeType
}

test('all clients announce the types that the service knows by the endings of names, whatever the machine says', async () => {
  expect(new Set(byService)).toEqual(new Set([...mediaTypes, 'application/octet-stream']))
  const blob = (type: string) => new Blob(['a file'], { type })
  expect(await Promise.all(names.map((filename) => announced(blob(''), { filename })))).toEqual(byService)
  const streams = names.map((name) => fileFromStream(new Blob(['a file']).stream(), { name, size: 6 }).type)
  expect(streams).toEqual(byService)
  // Browsers and n8n give types by the tables of their machines.
  expect(await announced(blob('text/plain'), { filename: 'talk.srt' })).toBe('application/x-subrip')
  expect(await announced(blob('image/png'), { filename: 'a' })).toBe('image/png')
  expect(await announced(blob('image/png'), { filename: 'a.png', mimeType: 'image/webp' })).toBe('image/webp')
})

test('exactly the files that the service would refuse are refused, with the accepted types', () => {
  for (const [ending, type] of typeByEnding) {
    const refusal = refusalOf({ name: `a file.${ending.toUpperCase()}`, size: 1 })
    expect([ending, refusal === undefined]).toEqual([ending, type !== 'other'])
  }
  for (const [ending, type] of known) {
    const max = maxBytesOf(type as MediaType)
    expect(refusalOf({ name: `a.${ending}`, size: max })).toBeUndefined()
    expect(refusalOf({ name: `a.${ending}`, size: max + 1 })).toMatch(/^is too large: you can post /)
  }
  expect(refusalOf({ name: 'a.png', size: 0 })).toBe('is empty. Choose another file.')
  expect(refusalOf({ name: 'a', type: 'image/png', size: 1 })).toBeUndefined()
  // Browsers and the service name such files differently; what is advised is taken.
  for (const file of [{ name: 'a.heic' }, { name: 'a', type: 'image/heic' }]) {
    expect(refusalOf({ ...file, size: 1 })).toMatch(/^is an image .* Save it as JPEG or PNG\.$/)
  }
  for (const file of [{ name: 'a.webm' }, { name: 'a', type: 'video/webm' }]) {
    expect(refusalOf({ ...file, size: 1 })).toMatch(/^is a video .* Save it as MP4\.$/)
  }
  for (const name of ['a.jpeg', 'a.png', 'a.mp4']) expect(refusalOf({ name, size: 1 })).toBeUndefined()
})

test('so does the Python client, also where the machine has no table', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'media-types-'))
  try {
    await buildPythonPackage(folder)
    const program = `
import json, mimetypes, sys
mimetypes.init([])
mimetypes.types_map.clear()
sys.path.insert(0, sys.argv[1])
from social_publishing.client import Client
from social_publishing import client as module
said = []
def call(config, operation, path=(), body=None):
    said.append(body["mimeType"])
    raise KeyError("stop")
    yield
module.call = call
for name in json.loads(sys.argv[2]):
    try:
        Client("http://announced.test", token="t").upload(b"a file", filename=name)
    except KeyError:
        pass
print(json.dumps(said))
`
    const output = execFileSync('python3', ['-B', '-c', program, folder, JSON.stringify(names)])
    expect(JSON.parse(output.toString())).toEqual(byService)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
