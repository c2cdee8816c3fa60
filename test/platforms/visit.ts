import { afterAll, beforeEach } from 'vitest'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import type { Context } from '../../shared/context.ts'
import type { PlatformAdapter, PlatformCall, PreparedRef, UnconfirmedAttempt } from '../../shared/platforms/adapter.ts'
import { clientKeyOf } from '../../shared/platforms/adapters.ts'
import type { Connector } from '../../shared/platforms/connector.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { film } from '../media/files.ts'
import { authorize, letIn } from './arrive.ts'
import { accountOf, startSite } from './site.ts'

/** The smallest film that is taken: 1028 bytes. */
export const clip = film('isom', 'mp42')

/** A film of so many bytes, each stretch of it different. */
export const longFilm = (bytes: number): Buffer => {
  const long = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 65_536) long.writeUInt32BE(at, Math.min(at, bytes - 4))
  clip.copy(long)
  return long
}

/** One platform for the tests of one file: the calls to it, and what its stand-in received. */
export async function visit(platform: PlatformAdapter, connector: Connector) {
  const site = await startSite()
  const { platforms } = site
  const { id } = platform
  beforeEach(() => {
    platforms.reset()
    site.effects.length = 0
  })
  afterAll(() => site.close())

  const calls = () => platforms.calls().filter((call) => call.platform === id)
  const videoFile = (bytes: Uint8Array = clip, mimeType = 'video/mp4') =>
    site.file({ mimeType, originalFilename: 'clip.mp4' }, bytes)
  return {
    site,
    platforms,
    calls,
    operations: () => calls().map(({ operation }) => operation),
    sentTo: (operation: string) => calls().filter((call) => call.operation === operation),
    fault: (more: Partial<FaultInput> & Pick<FaultInput, 'fault'>) =>
      platforms.faults.add({ platform: id, operation: 'create', times: 1, ...more }),
    videoFile,
    letIn: (person?: string) => letIn(site.ctx(), connector, person),
    connect: (person?: string) => authorize(site.ctx(), connector, person),
    /** The form that went to an operation last. */
    formOf: (operation: string, n = -1) =>
      Object.fromEntries(
        new URLSearchParams(
          String(
            calls()
              .filter((call) => call.operation === operation)
              .at(n)?.body,
          ),
        ),
      ),
    /** A call for a post with a clip, by an account that was just connected. */
    async open(post: Partial<OutgoingPost> = {}, person?: string): Promise<PlatformCall> {
      const ctx = site.ctx()
      const account = accountOf(await authorize(ctx, connector, person))
      return { ctx, account, post: site.post({ ...post, media: post.media ?? [await videoFile()] }) }
    },
    /** The same call with a token of now. */
    async anew(call: PlatformCall, person?: string): Promise<PlatformCall> {
      return { ...call, account: accountOf(await authorize(call.ctx, connector, person)) }
    },
    async prepared(call: PlatformCall, resume?: PreparedRef) {
      const done = await platform.prepare?.(call, resume)
      if (!done || !('ready' in done)) throw new Error('expected to be ready')
      return done
    },
    async waiting(call: PlatformCall, resume?: PreparedRef) {
      const done = await platform.prepare?.(call, resume)
      if (!done || !('resume' in done)) throw new Error('expected to wait')
      return done
    },
    commit: async (call: PlatformCall, ref: PreparedRef) =>
      platform.commit(call, ref, clientKeyOf(platform, call.post), await platform.build?.(call, ref)),
    /** A current attempt with an unknown outcome. */
    armed: (call: PlatformCall, ref: PreparedRef): UnconfirmedAttempt => ({
      clientKey: clientKeyOf(platform, call.post),
      ref,
      startedAtMs: site.now(),
    }),
    probe: (call: PlatformCall, ref: PreparedRef, agoMs = 10_000) =>
      platform.probe(call, { clientKey: clientKeyOf(platform, call.post), ref, startedAtMs: site.now() - agoMs }),
    /** The same context, in which every upload takes so long. */
    slowly: (ctx: Context, ms: number): Context => ({
      ...ctx,
      async observe(effect, run) {
        if (effect.action.startsWith('PUT')) site.pass(ms)
        return ctx.observe(effect, run)
      },
    }),
  }
}
