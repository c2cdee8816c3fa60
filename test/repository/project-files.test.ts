import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { definitions } from '../../shared/platforms/definitions.ts'

const root = join(import.meta.dirname, '../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const settings = JSON.parse(textOf('package.json'))
const [major] = settings.devDependencies.node.split('.')

test('container and workflow have the Node version that the functions run on', () => {
  const image = textOf('.devcontainer/Dockerfile')
  expect(image).toMatch(new RegExp(`^FROM node:${major}-`, 'm'))
  // Its license does not allow an image that contains it.
  const commands = image.split('\n').filter((line) => !line.startsWith('#'))
  expect(commands.join('\n')).not.toMatch(/dynamo|npm |^COPY|^ADD/im)
  expect(JSON.parse(textOf('.devcontainer/devcontainer.json'))).toMatchObject({ build: { dockerfile: 'Dockerfile' } })
  expect(textOf('.github/workflows/ci.yml')).toContain(`node-version: ${major}\n`)
})

test('the workflow runs what a change has to pass', () => {
  expect(textOf('.github/workflows/ci.yml')).toContain('- run: bash .ci/run\n')
})

test('the container has the programs that .ci/run would install', () => {
  const [, packages = ''] =
    /apt-get install -y --no-install-recommends ([^\n\\]+)/.exec(textOf('.devcontainer/Dockerfile')) ?? []
  const tools = [...textOf('.ci/run').matchAll(/(?:missing|optional)\+=\(([^)]+)\)/g)].flatMap(([, names = '']) =>
    names.split(' '),
  )
  expect(tools.length).toBeGreaterThan(3)
  for (const name of tools) expect(packages.split(' ')).toContain(name)
})

test('the changelog has what is unreleased first, then the version of the package and those before it, with dates', () => {
  const [first = '', ...others] = [...textOf('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, title = '']) => title)
  const releases = first === 'Unreleased' ? others : [first, ...others]
  for (const title of releases) expect(title).toMatch(/^\d+\.\d+\.\d+ – \d{4}-\d\d-\d\d$/)
  // Before the first release there is none.
  expect(releases[0] ?? settings.version).toContain(settings.version)
})

test('the root has the only lockfile: the packages of judges and of the GitHub Action are named exactly', () => {
  const packages = ['test/judges/*', 'infra/clients/*']
  const filesOf = (name: string) =>
    globSync(
      packages.map((folder) => `${folder}/${name}`),
      { cwd: root },
    )
  expect(filesOf('package-lock.json')).toEqual([])
  const manifests = filesOf('package.json').filter((path) => /judges|github-action/.test(path))
  expect(manifests.length).toBeGreaterThan(7)
  for (const path of manifests) {
    const { dependencies, optionalDependencies } = JSON.parse(textOf(path))
    const named = Object.entries<string>(dependencies ?? optionalDependencies ?? {})
    expect(named, path).not.toEqual([])
    for (const [name, version] of named)
      expect(version, `${path}: ${name}`).toMatch(/^(?:npm:[\w-]+@)?\d+\.\d+\.\d+$|^file:/)
  }
})

test('the form for platform behavior lists every platform', () => {
  const [, options = ''] =
    /label: Platform\n +options: \[([^\]]+)\]/.exec(textOf('.github/ISSUE_TEMPLATE/platform.yml')) ?? []
  expect(options.split(', ').sort()).toEqual(
    Object.values(definitions)
      .map(({ name }) => name)
      .sort(),
  )
})
