import { cp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pythonSource } from './client-python/build/api.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const own = join(root, 'infra/client-python')

/** Writes the Python package into a folder, which `pip install` takes. */
export const buildPythonPackage = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  const isSource = (path: string) => !path.includes('__pycache__')
  await cp(join(own, 'social_publishing'), join(folder, 'social_publishing'), { recursive: true, filter: isSource })
  for (const name of ['pyproject.toml', 'README.md']) await cp(join(own, name), join(folder, name))
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  await writeFile(join(folder, 'social_publishing/api.py'), pythonSource())
}

if (import.meta.main) {
  // npm runs scripts in the folder of package.json.
  const folder = resolve('dist-clients/python')
  await buildPythonPackage(folder)
  console.log(`social-publishing-client for Python: ${folder}`)
}
