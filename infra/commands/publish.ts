import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, matchesGlob, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import own from '../../package.json' with { type: 'json' }
import { buildCli } from './cli.ts'
import { buildPackage, packPackage } from './client.ts'
import { buildPythonPackage } from './client-python.ts'
import { buildNodes } from './n8n.ts'

const run = promisify(execFile)

/** The program of PyPI that builds Python packages. */
const pythonBuilder = 'build==1.6.1'

const always = ['LICENSE', 'README.md', 'package.json']

/** The packages for npm, by their folder in `dist-clients`: how each is built, and the globs of its files. */
const npmPackages = {
  javascript: { build: buildPackage, globs: [...always, 'REFERENCE.md', 'dist/*.js', 'dist/*.d.ts'] },
  cli: { build: buildCli, globs: [...always, 'NOTICE', 'social.mjs'] },
  n8n: { build: buildNodes, globs: [...always, 'dist/*.{node,credentials}.js', 'dist/*.svg'] },
}

const pythonGlobs = {
  sdist: ['LICENSE', 'README.md', 'PKG-INFO', 'pyproject.toml', 'setup.cfg', '*.egg-info/*'],
  wheel: ['*.dist-info/{METADATA,RECORD,WHEEL,top_level.txt}', '*.dist-info/licenses/LICENSE'],
  both: ['social_publishing/*.py', 'social_publishing/py.typed'],
}

/** Source maps, and secrets by their forms. */
const forbidden =
  /sourceMappingURL=|BEGIN [A-Z ]*PRIVATE KEY|\b(?:AKIA[0-9A-Z]{16}|npm_\w{36}|gh[a-z]_\w{36}|pypi-[\w-]{40}|svc_[a-z]+_\w{30}|whsec_[\w+/]{32})/

/** The files of an archive, by their paths. */
export type Files = ReadonlyMap<string, string>

/** What is wrong with the files of a package: each must be one of the globs, and each glob must have a file. */
export const faultsOfFiles = (files: Files, globs: readonly string[]): string[] => {
  const paths = [...files.keys()]
  return [
    ...paths.filter((path) => !globs.some((glob) => matchesGlob(path, glob))).map((path) => `${path} is unknown`),
    ...globs.filter((glob) => !paths.some((path) => matchesGlob(path, glob))).map((glob) => `${glob} is missing`),
    ...paths
      .filter((path) => forbidden.test(files.get(path) ?? ''))
      .map((path) => `${path} has a source map or a secret`),
  ]
}

/** What is wrong with a package.json that is published. A script would run on the machine of who installs the package. */
export const faultsOfManifest = (text: string): string[] => {
  const { version, license, repository, scripts } = JSON.parse(text)
  return [
    ...(version === own.version ? [] : [`version ${version}`]),
    ...(license === own.license ? [] : [`license ${license}`]),
    ...(/^git\+https:\/\/.+\.git$/.test(repository?.url) && repository.directory ? [] : ['no repository']),
    ...(scripts ? ['scripts'] : []),
  ]
}

/** The same for the metadata of a Python package. */
export const faultsOfMetadata = (text: string): string[] =>
  [`Version: ${own.version}`, `License-Expression: ${own.license}`, 'Project-URL: Repository, https://']
    .filter((line) => !text.includes(`\n${line}`))
    .map((line) => `no "${line}"`)

const unpack = async (archive: string): Promise<Files> => {
  const folder = await mkdtemp(join(tmpdir(), 'package-'))
  try {
    if (archive.endsWith('.whl')) await run('python3', ['-m', 'zipfile', '-e', archive, folder])
    else await run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1'])
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const texts = paths.sort().map(async (path) => [relative(folder, path), await readFile(path, 'latin1')] as const)
    return new Map(await Promise.all(texts))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Prints what an archive has, and throws if something is wrong with it. */
const check = async (archive: string, globs: readonly string[]): Promise<void> => {
  const files = await unpack(archive)
  const textAt = (glob: string) => files.get([...files.keys()].find((path) => matchesGlob(path, glob)) ?? '')
  const manifest = textAt('package.json')
  const metadata = textAt('{PKG-INFO,*.dist-info/METADATA}') ?? ''
  const faults = [
    ...faultsOfFiles(files, globs),
    ...(manifest === undefined ? faultsOfMetadata(metadata) : faultsOfManifest(manifest)),
  ]
  console.log([archive, ...files.keys()].join('\n  '))
  if (faults.length > 0) throw new Error(`${archive} is not published: ${faults.join(', ')}`)
}

/** A second run, after one that failed halfway, publishes the rest. */
const isPublished = (name: string): boolean =>
  spawnSync('npm', ['view', `${name}@${own.version}`, 'version'], { encoding: 'utf8' }).stdout.trim() === own.version

/** Builds all packages for npm, checks them, and then publishes each. */
const publishToNpm = async (into: string, isDryRun: boolean): Promise<void> => {
  const tarballs: [name: string, tarball: string][] = []
  for (const [folder, { build, globs }] of Object.entries(npmPackages)) {
    const built = join(into, folder, 'package')
    await build(built)
    const tarball = await packPackage(built, join(into, folder))
    await check(tarball, globs)
    const { name } = JSON.parse(await readFile(join(built, 'package.json'), 'utf8'))
    tarballs.push([name, tarball])
  }
  for (const [name, tarball] of tarballs) {
    if (isDryRun || isPublished(name)) continue
    const options = ['--provenance', '--access', 'public', '--ignore-scripts']
    const { status } = spawnSync('npm', ['publish', tarball, ...options], { stdio: 'inherit' })
    if (status !== 0) throw new Error(`npm did not publish ${name}`)
  }
}

/** Builds both forms of the Python package, and checks them. PyPI's own action publishes what is in the folder. */
const buildForPyPI = async (into: string): Promise<void> => {
  const built = join(into, 'python')
  const distributions = join(into, 'python-distributions')
  const venv = join(into, 'python-venv')
  await buildPythonPackage(built)
  await rm(distributions, { recursive: true, force: true })
  await run('python3', ['-m', 'venv', venv])
  const python = join(venv, 'bin/python')
  await run(python, ['-m', 'pip', 'install', '--quiet', pythonBuilder])
  await run(python, ['-m', 'build', '--outdir', distributions, built], { maxBuffer: 2 ** 26 })
  for (const name of await readdir(distributions)) {
    const { both, wheel, sdist } = pythonGlobs
    await check(join(distributions, name), [...both, ...(name.endsWith('.whl') ? wheel : sdist)])
  }
}

/** Publishes the packages for a registry, or builds what its own action publishes, if the tag is the version. */
export const publish = async ([tag, registry, mode]: readonly string[]): Promise<void> => {
  // npm runs scripts in the folder of package.json.
  const into = resolve('dist-clients')
  if (tag !== `v${own.version}`) throw new Error(`the tag ${tag} is not v${own.version}, the version of package.json`)
  if (registry === 'npm' && (mode === undefined || mode === '--dry-run'))
    return publishToNpm(into, mode === '--dry-run')
  if (registry === 'pypi' && mode === undefined) return buildForPyPI(into)
  throw new Error('usage: npm run publish-packages -- v1.2.3 npm [--dry-run] | pypi')
}

if (import.meta.main) {
  try {
    await publish(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
