import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { minuteMs } from '../../../shared/time.ts'
import { start } from '../../../test/support/start.ts'
import { localContext, makeApp } from '../../deploy/app.ts'
import { readStacks } from '../template/stack.ts'
import { drawBlueprint } from '../template.ts'

/** The templates of a stage that releases in steps. */
const synthesize = (): string => {
  const outdir = mkdtempSync(join(tmpdir(), 'social-steps-'))
  onTestFinished(() => rmSync(outdir, { recursive: true }))
  makeApp({ outdir, context: { ...localContext, canary: 'on' } }).synth()
  return outdir
}

test('the API, the queues, and the clock call what is released in steps by its alias, and a post is published', async () => {
  const assembly = synthesize()
  const { api, clocks } = drawBlueprint(readStacks(assembly))
  const uriOf = (path: string, method: string) => {
    const integration = api.paths.find((plan) => plan.path === path)?.methods.get(method)
    return integration?.type === 'aws_proxy' ? integration.uri : undefined
  }
  expect(uriOf('/api/posts/schedule', 'POST')).toMatch(/:function:social-local-posts-schedule:live\/invocations$/)
  expect(uriOf('/api/posts', 'GET')).toMatch(/:function:social-local-posts-list\/invocations$/)
  expect(clocks.map(({ functionArn }) => functionArn)).toEqual([expect.stringMatching(/:social-local-sweep:live$/)])
  const called: string[] = []
  const kit = await start({ assembly, seeDecision: ({ access }) => called.push(`${access.action} ${access.resource}`) })
  await kit.api.posts.schedule({
    body: {
      socialAccountIds: [kit.accounts.bluesky],
      content: 'In steps',
      scheduledAt: new Date(kit.clock.now() + minuteMs).toISOString(),
    },
  })
  // Nothing is delivered until the sweeper finds it.
  kit.clock.pass(3 * minuteMs)
  await kit.service.tick()
  await kit.service.drain()
  expect(kit.platforms.published().map(({ text }) => text)).toEqual(['In steps'])
  const ofLambda = new Set(
    called.filter((action) => action.startsWith('lambda:')).map((action) => action.split(':function:')[1]),
  )
  expect([...ofLambda].sort()).toEqual(['social-local-posts-schedule:live', 'social-local-sweep:live'])
})
