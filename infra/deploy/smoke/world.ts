import type * as z from 'zod/mini'
import { type Client, client } from '../../../functions/client.ts'
import type { AssetView } from '../../../shared/media/asset.ts'
import type { SocialAccountView } from '../../../shared/social-accounts/social-account.ts'
import { type Made, makeMade } from './made.ts'
import type { SmokeOptions } from './options.ts'
import { makeWire, type Wire } from './wire.ts'

/** The shared state of the steps: the deployment, and what earlier steps have found and created. */
export interface World {
  options: SmokeOptions
  wire: Wire
  made: Made
  /** In the workspace, once that is known. */
  api: Client
  workspaceId: string
  /** An account that a text can be scheduled for. */
  account?: z.infer<typeof SocialAccountView> | undefined
  asset?: z.infer<typeof AssetView>
  /** The scheduled post. */
  post?: { id: string; groupId: string | null }
  /** Aborted by Ctrl-C, and after the time of the whole test. */
  stopped: AbortSignal
  /** Distinguishes this run from all others. */
  mark: string
}

/** One step of the test, with one line in its output. */
export interface Step {
  name: string
  /** Without it, the other steps are pointless. */
  vital?: true
  /** Returns what the operator may want to know. */
  run(world: World): Promise<string | undefined>
}

export const clientOf = ({ options, wire }: Pick<World, 'options' | 'wire'>, workspaceId?: string): Client =>
  client({
    baseUrl: options.baseUrl,
    token: options.token,
    fetch: wire.fetch,
    ...(workspaceId === undefined ? {} : { workspaceId }),
  })

export const makeWorld = (options: SmokeOptions, stopped: AbortSignal): World => {
  const wire = makeWire(options.baseUrl, options.timeoutMs)
  wire.endWith(stopped)
  const mark = Math.floor(Math.random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0')
  return { options, wire, made: makeMade(), api: clientOf({ options, wire }), workspaceId: '', stopped, mark }
}
