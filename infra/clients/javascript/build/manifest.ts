import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import own from '../../../../package.json' with { type: 'json' }

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** The address of the publishing repository: that of the workflow, or of the remote; undefined if there is neither. */
const repositoryUrl = (): string | undefined => {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env
  if (server && name) return `${server}/${name}`
  const { stdout } = spawnSync('git', ['remote', 'get-url', 'origin'], { cwd: root, encoding: 'utf8' })
  const [, host, path] =
    /^(?:https:\/\/(?:[^@/]*@)?|(?:ssh:\/\/)?git@)([\w.-]+)[:/](.+?)(?:\.git)?\s*$/.exec(stdout) ?? []
  return host && `https://${host}/${path}`
}

/** The pages of a package in the repository; undefined without one. */
export const pagesOf = (directory: string) => {
  const repository = repositoryUrl()
  return (
    repository && {
      repository,
      homepage: `${repository}/tree/main/${directory}#readme`,
      bugs: `${repository}/issues`,
      changelog: `${repository}/blob/main/CHANGELOG.md`,
    }
  )
}

/** The package.json that is published: that of the folder, with the version and license of the repository, and its pages. */
export const manifestOf = async (directory: string): Promise<string> => {
  const manifest = JSON.parse(await readFile(join(root, directory, 'package.json'), 'utf8'))
  const pages = pagesOf(directory)
  // npm accepts a provenance only for the repository that the manifest names (npm documentation, "Generating provenance
  // statements", 2026-11-27).
  const repository = pages && { type: 'git', url: `git+${pages.repository}.git`, directory }
  const links = pages && { ...pages, repository, bugs: { url: pages.bugs } }
  const publishConfig = { access: 'public', provenance: true }
  return `${JSON.stringify({ ...manifest, version: own.version, license: own.license, ...links, publishConfig }, null, 2)}\n`
}
