import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noticeText, thirdParty } from '../../infra/commands/notice.ts'

/** Licenses that permit to deploy and to redistribute; of LGPL there is one shared library, which NOTICE names. */
const permitted =
  /^(Apache-2\.0|MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|LGPL-3\.0-or-later|MPL-2\.0)( AND (LGPL-3\.0-or-later|MIT))*$/

test('NOTICE lists what a deployment contains (npm run notice writes it)', () => {
  expect(readFileSync(join(import.meta.dirname, '../../NOTICE'), 'utf8')).toBe(noticeText())
})

test('every package of a deployment has a license that permits redistribution', () => {
  const packages = thirdParty()
  expect(packages.length).toBeGreaterThan(50)
  for (const { name, license } of packages) expect(license, name).toMatch(permitted)
})
