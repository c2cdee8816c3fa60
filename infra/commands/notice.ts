import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Development dependencies that are deployed as files: the viewer of the API reference, and the libraries of the console. */
const shippedFiles = [
  '@scalar/fastify-api-reference',
  'preact',
  '@preact/signals',
  '@preact/signals-core',
  'uplot',
  'bootstrap-icons',
  'lean-qr',
]

const Package = z.object({
  version: z.string(),
  license: z.optional(z.string()),
  dev: z.optional(z.boolean()),
  /** It may be missing, as packages for other systems are. */
  optional: z.optional(z.boolean()),
  /** A workspace of this repository. */
  link: z.optional(z.boolean()),
})
const Lockfile = z.object({ packages: z.record(z.string(), z.partial(Package)) })

interface ThirdParty {
  name: string
  version: string
  license: string
  /** Lines of its license file. */
  copyright: readonly string[]
}

const copyrightLine = /^\s*(copyright (\(c\) |© )?\d{4}.*\S)\s*$/gim

const copyrightOf = (folder: string): string[] => {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.(md|txt))?$/i.test(name))
  if (file === undefined) return []
  return [...readFileSync(join(folder, file), 'utf8').matchAll(copyrightLine)].map(([, line]) => line ?? '')
}

/** The packages that a deployment contains, by name, from the lockfile. Throws if one has no license. */
export const thirdParty = (): ThirdParty[] => {
  const { packages } = z.parse(Lockfile, JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  return Object.entries(packages)
    .flatMap(([path, { version = '', license, dev = false, optional = false, link = false }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      if (!path.startsWith('node_modules/') || link || (dev && !shippedFiles.includes(name))) return []
      if (license === undefined) throw new Error(`${name} has no license in package-lock.json.`)
      return [{ name, version, license, copyright: optional ? [] : copyrightOf(join(root, path)) }]
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The text of NOTICE. */
export const noticeText = (): string => {
  const byLicense = Object.groupBy(thirdParty(), ({ license }) => license)
  const sections = Object.entries(byLicense)
    .toSorted()
    .map(([license, packages = []]) => {
      const lines = packages.flatMap(({ name, version, copyright }) => [
        `  ${name} ${version}`,
        ...copyright.map((line) => `    ${line}`),
      ])
      return `${license}\n\n${lines.join('\n')}\n`
    })
  return `Social Publishing Service

This product is licensed under the Apache License, Version 2.0 (LICENSE).

A deployment contains the packages below, under their own licenses. The text of each license is in the package, and at
https://spdx.org/licenses/. libvips (LGPL-3.0-or-later) is a shared library of the image layer and can be replaced.
DynamoDB Local, a development dependency, belongs to Amazon, and no deployment contains it.

"npm run notice" writes this file from package-lock.json.

${sections.join('\n')}`
}

if (import.meta.main) writeFileSync(join(root, 'NOTICE'), noticeText())
