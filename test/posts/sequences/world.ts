import { expect } from 'vitest'
import { ApiError } from '../../../functions/client.ts'
import { blueskySeed } from '../../../infra/local/platforms/bluesky/seed.ts'
import type { Context, Effect } from '../../../shared/context.ts'
import { type Post, posts } from '../../../shared/posts/lifecycle/row.ts'
import { stateOf } from '../../../shared/posts/lifecycle/state.ts'
import { postLifecycle } from '../../../shared/posts/lifecycle/transitions.ts'
import { preparePosts } from '../../../shared/posts/publishing/prepare.ts'
import { publishPost } from '../../../shared/posts/publishing/publish.ts'
import { isUsable, socialAccounts } from '../../../shared/social-accounts/social-account.ts'
import { minuteMs } from '../../../shared/time.ts'
import { scheduleOn } from '../../journeys/author.ts'
import { uploadPng } from '../../journeys/upload.ts'
import { connectOn } from '../../support/connect.ts'
import { Crash } from '../../support/crash.ts'
import type { Kit } from '../../support/start.ts'
import type { Act, Answer, Command, Sequence, Trouble } from './command.ts'
import { answerTo, isHonest, isTransition, type Kind, publishLeadsTo } from './model.ts'

const { transitions } = postLifecycle

const day = 1_440 * minuteMs

/** How the stand-in gives each answer. */
const faults = {
  rejected: { operation: 'create', times: 1, fault: 'status', status: 400 },
  unavailable: { operation: 'create', times: 1, fault: 'status', status: 503 },
  'rate limited': { operation: 'create', times: 1, fault: 'rate_limited' },
  'lost and live': { operation: 'create', times: 1, fault: 'landed_then_reset' },
  'lost and absent': { operation: 'create', times: 1, fault: 'reset_after' },
  down: { operation: '*', times: 1_000, fault: 'html_503' },
} as const satisfies Record<Exclude<Answer, 'accepted'>, object>

type Run = <T>(effect: Effect, run: () => Promise<T>) => Promise<T>
const calm: Run = (_effect, run) => run()

/** Plays sequences in one service, each with its own post. */
export const makeWorld = async (kit: Kit) => {
  let seam: Run = calm
  const base = kit.service.contextOf('publish-post')
  const ctx: Context = { ...base, observe: (effect, run) => seam(effect, () => base.observe(effect, run)) }
  const { id: mediaId } = await uploadPng(kit)

  return async (name: string, { platform, withMedia, commands }: Sequence): Promise<readonly Kind[]> => {
    const { id } = await scheduleOn(kit, platform, `${name} v1`, 2 * minuteMs, withMedia ? [mediaId] : [])
    const due = [0, kit.clock.now() + 2 * minuteMs]
    let warned = false
    const seen: Kind[] = []

    /** A crash in the middle of a token refresh loses the account, as it may. Its owner reconnects it. */
    const wasLost = async (): Promise<boolean> => {
      const account = await socialAccounts.get(kit.ctx, { workspaceId: kit.workspaceId, id: kit.accounts[platform] })
      if (account !== undefined && isUsable(account)) return false
      const { handle: identifier, appPassword } = blueskySeed.account
      if (platform === 'discord') await connectOn(kit, platform)
      else await kit.sessionApi.socialAccounts.connectBluesky({ body: { identifier, appPassword } })
      return true
    }
    const rowOf = () => posts.get(kit.ctx, { workspaceId: kit.workspaceId, id })
    const kindOf = (row: Post | undefined): Kind => (row === undefined ? 'deleted' : stateOf(row, kit.clock.now()).kind)
    const live = () => kit.platforms.published().filter(({ text }) => text.startsWith(`${name} `))

    /** Every write is a transition of the table. */
    const watched: Run = async (effect, run) => {
      if (!['UpdateItem', 'TransactWriteItems'].includes(effect.action)) return run()
      const from = kindOf(await rowOf())
      const result = await run()
      const to = kindOf(await rowOf())
      seen.push(to)
      expect(isTransition(from, to), `${effect.action} leads from ${from} to ${to}`).toBe(true)
      return result
    }

    const act = async (action: Act) => {
      const from = kindOf(await rowOf())
      const scheduledAt = new Date(kit.clock.now() + (action.is === 'reschedule' ? action.inMs : 0)).toISOString()
      const content = `${name} v${due.length}`
      const dueMs = (await rowOf())?.scheduledAtMs ?? 0
      const request = {
        cancel: () => kit.api.posts.cancel({ params: { id } }),
        delete: () => kit.api.posts.delete({ params: { id } }),
        update: () => kit.api.posts.update({ params: { id }, body: { content } }),
        reschedule: () => kit.api.posts.reschedule({ params: { id }, body: { scheduledAt, content } }),
      }[action.is]
      const answer = await request().then(
        (body) => ({ status: 200, body }),
        (error: unknown) => {
          if (error instanceof ApiError) return { status: error.status, body: {} }
          throw error
        },
      )
      if (answer.status === 200 && action.is === 'reschedule') due.push(Date.parse(scheduledAt))
      // The next text is due at the same time.
      if (answer.status === 200 && action.is === 'update') due.push(dueMs)
      warned ||= 'mayBeLive' in answer.body || 'published' in answer.body
      const expected = answerTo(action, from)
      const to = kindOf(await rowOf())
      expect({ ...action, from, status: answer.status }).toEqual({ ...action, from, status: expected.status })
      expect(expected.to, `${action.is} of a post that is ${from}`).toContain(to)
    }

    /** What is done around the effects of one run of the publisher. */
    const troubled = (trouble: Trouble): Run => {
      let effects = 0
      let isDead = false
      let before: Promise<unknown> = Promise.resolve()
      /** One effect after the other, so that nothing happens while the author acts. */
      const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
        const turn = before.then(run)
        before = turn.catch(() => undefined)
        return turn
      }
      const around: Run = async (effect, run) => {
        if (isDead) throw new Crash('dead already')
        const index = effects++
        const isIt = 'at' in trouble && trouble.at === index
        if (isIt && trouble.is === 'author') await act(trouble.act)
        if (!isIt || trouble.is !== 'crash') return watched(effect, run)
        if (trouble.side === 'before') isDead = true
        else {
          await watched(effect, run)
          isDead = true
        }
        throw new Crash(`${trouble.side} effect ${index}`)
      }
      return trouble.is === 'author' ? (effect, run) => inTurn(() => around(effect, run)) : around
    }

    /** Runs it to its end, also what a crash left on its way. */
    const settle = async (run: () => Promise<void>, around: Run) => {
      const begun: Promise<unknown>[] = []
      seam = (effect, go) => {
        const one = around(effect, go)
        begun.push(one)
        return one
      }
      await run().catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error
      })
      const ends = await Promise.allSettled(begun)
      for (const end of ends) {
        if (end.status === 'rejected' && end.reason?.name === 'AssertionError') throw end.reason
      }
      seam = calm
    }

    const publish = async (version: 'current' | 'stale', answer: Answer, trouble: Trouble) => {
      const row = await rowOf()
      const from = kindOf(row)
      const now = kit.clock.now()
      const state = {
        kind: from,
        isStale: version === 'stale',
        isEarly:
          row !== undefined &&
          ((row.dueAtMs ?? 0) - 2_000 > now || (from === 'scheduled' && row.scheduledAtMs - now > 20_000)),
        isTooLate: row !== undefined && now - row.scheduledAtMs > day,
        isLive: live().length > 0,
      }
      if (answer !== 'accepted') kit.platforms.faults.add({ platform, ...faults[answer] })
      const message = {
        workspaceId: kit.workspaceId,
        postId: id,
        socialAccountId: kit.accounts[platform],
        platform,
        version: (row?.version ?? 1) - (version === 'stale' ? 1 : 0),
      }
      const once = () => publishPost(ctx, message)
      const run = trouble.is === 'doubled message' ? async () => void (await Promise.all([once(), once()])) : once
      await settle(run, troubled(trouble))
      kit.platforms.faults.clear()
      const after = await rowOf()
      // A connection that the platform has closed fails the upload of media: then no publishing call is made.
      const wasNotCalled = withMedia && after?.status === 'scheduled' && after.clientKey === undefined
      if (!(await wasLost()) && trouble.is === 'nothing' && !wasNotCalled) {
        expect(publishLeadsTo(state, answer), `${answer}: ${JSON.stringify(state)}`).toContain(kindOf(after))
      }
    }

    const prepare = () => settle(() => preparePosts(ctx, { workspaceId: kit.workspaceId, postId: id }), watched)

    const perform = async (command: Command): Promise<void> => {
      if (command.is === 'publish') return publish(command.version, command.answer, command.trouble)
      if (command.is === 'prepare') return prepare()
      if (command.is === 'wait') return kit.clock.pass(command.ms)
      if (command.is === 'wait until due')
        return kit.clock.pass(Math.max(0, (due.at(-1) ?? 0) - kit.clock.now() - 1_000))
      return act(command)
    }

    /** All statements about the post are true, whatever has happened. */
    const look = async (after: string) => {
      const row = await rowOf()
      const kind = kindOf(row)
      seen.push(kind)
      const mayBeLive = warned || (row?.status === 'cancelled' && row.attempt !== undefined)
      const there = live()
      expect(isHonest(kind, there.length, mayBeLive), `after ${after}: ${kind}, ${there.length} live`).toBe(true)
      for (const { text, publishedAt } of there) {
        const version = Number(text.slice(`${name} v`.length))
        expect(publishedAt, `${text} is live in time`).toBeGreaterThanOrEqual(due[version] ?? Number.POSITIVE_INFINITY)
      }
      if (row === undefined || row.status === 'scheduled') return
      for (const attribute of transitions.giveUp.clears)
        expect(row, `of a post that is ${kind}`).not.toHaveProperty(attribute)
    }

    for (const command of commands) {
      await perform(command)
      await look(JSON.stringify(command))
    }
    // Left alone, every post comes to its end.
    for (let round = 0; round < 30; round += 1) {
      const row = await rowOf()
      if (row?.status !== 'scheduled') return seen
      const nextMs = Math.max(row.scheduledAtMs, row.dueAtMs ?? 0, row.leaseUntilMs ?? 0, kit.clock.now())
      kit.clock.pass(Math.ceil(nextMs) - kit.clock.now())
      await publish('current', 'accepted', { is: 'nothing' })
      await look('a round of its own')
    }
    throw new Error(`${name} never ends`)
  }
}
