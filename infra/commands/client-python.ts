import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version } from '../../shared/version.ts'
import { pagesOf } from '../clients/javascript/build/manifest.ts'
import { pythonSources } from '../clients/python/build/api.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const own = join(root, 'infra/clients/python')

/** The names are those that PyPI knows ("Well-known Project URLs in Metadata", 2026-11-27). */
const urls = (): string => {
  const pages = pagesOf('infra/clients/python')
  if (!pages) return ''
  const { homepage, repository, bugs, changelog } = pages
  const named = { Homepage: homepage, Repository: repository, Issues: bugs, Changelog: changelog }
  return `\n[project.urls]\n${Object.entries(named)
    .map(([name, url]) => `${name} = "${url}"\n`)
    .join('')}`
}

/** Writes the Python package into a folder that `pip install` accepts. */
export const buildPythonPackage = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  const isSource = (path: string) => !path.includes('__pycache__')
  await cp(join(own, 'social_publishing'), join(folder, 'social_publishing'), { recursive: true, filter: isSource })
  await cp(join(own, 'README.md'), join(folder, 'README.md'))
  const project = await readFile(join(own, 'pyproject.toml'), 'utf8')
  await writeFile(
    join(folder, 'pyproject.toml'),
    project.replace('[project]\n', `[project]\nversion = "${version}"\n`) + urls(),
  )
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  for (const [name, text] of Object.entries(pythonSources()))
    await writeFile(join(folder, 'social_publishing', name), text)
  await writeFile(join(folder, 'social_publishing/_version.py'), `__version__ = "${version}"\n`)
}

if (import.meta.main) {
  // npm runs scripts in the folder of package.json.
  const folder = resolve('dist-clients/python')
  await buildPythonPackage(folder)
  console.log(`social-publishing-client for Python: ${folder}`)
}
