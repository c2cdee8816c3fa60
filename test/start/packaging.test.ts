import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../infra/local/packaging')
const unit = join(folder, 'social.service')
const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
const hasSystemd = analyze('--version').status === 0

test.skipIf(!hasSystemd)('systemd finds no mistake in the unit, and calls its exposure low', () => {
  // The machine need not have a Node at this path.
  const { stdout, stderr } = analyze('verify', unit)
  expect(`${stdout}${stderr}`.replace(/^.*\/usr\/bin\/node is not executable.*\n/gm, '')).toBe('')
  // Of 10, which is what a unit has without any restriction; below 2 is what systemd calls OK.
  const security = analyze('security', '--offline=true', '--no-pager', '--threshold=20', unit)
  expect(security.status, security.stdout).toBe(0)
})

test('unit and image start the program that is built, with the memory for new objects that was measured', () => {
  const start = (text: string) => text.replaceAll('", "', ' ')
  for (const file of ['social.service', 'Dockerfile'])
    expect(start(readFileSync(join(folder, file), 'utf8')), file).toContain(
      'node --max-semi-space-size=16 /opt/social/serve.cjs',
    )
})
