import type { Context } from '../../../shared/context.ts'
import {
  type Pause,
  type PauseScope,
  pause,
  readPauses,
  refusesChanges,
  resume,
} from '../../../shared/pauses/pauses.ts'
import { platformIds } from '../../../shared/resources.ts'
import { workspaces } from '../../../shared/workspaces/workspace.ts'
import { Stop } from '../../local/stop.ts'

/** The options of `pause` and `resume`. */
export interface PauseOptions {
  platform?: string | undefined
  workspace?: string | undefined
  reason?: string | undefined
  /** Refuses changes as well. */
  intake?: boolean | undefined
}

const scopeOf = async (ctx: Context, { platform, workspace, intake }: PauseOptions): Promise<PauseScope> => {
  if (intake === true && (platform !== undefined || workspace !== undefined))
    throw new Stop('Give --intake without --platform and --workspace: changes are refused in the whole deployment.')
  if (platform !== undefined && workspace !== undefined) throw new Stop('Give --platform or --workspace, not both.')
  if (platform !== undefined) {
    if (platformIds.some((id) => id === platform)) return { kind: 'platform', id: platform }
    throw new Stop(`There is no platform "${platform}". The platforms are ${platformIds.join(', ')}.`)
  }
  if (workspace === undefined) return { kind: 'deployment', ...(intake === true ? { intake } : {}) }
  if ((await workspaces.get(ctx, { id: workspace })) === undefined)
    throw new Stop(`There is no workspace "${workspace}".`)
  return { kind: 'workspace', id: workspace }
}

const nameOf = ({ scope, sinceMs, reason }: Pause): string => {
  const what = 'id' in scope ? `${scope.kind} ${scope.id}` : `the ${scope.kind}`
  return `${what}${refusesChanges(scope) ? ', and refuses changes,' : ''} since ${new Date(sinceMs).toISOString()}${reason === undefined ? '' : ` (${reason})`}`
}

const describe = (pauses: readonly Pause[]): string =>
  pauses.length === 0 ? 'Nothing is paused.' : `Paused: ${pauses.map(nameOf).join('; ')}.`

/** `pause` and `resume` of the deployment, a platform, or a workspace, and `pauses`, which lists them. */
export const changePauses = async (
  ctx: Context,
  command: 'pause' | 'resume' | 'pauses',
  options: PauseOptions,
): Promise<string> => {
  if (command !== 'pause' && options.intake === true)
    throw new Stop('Give --intake to pause only. To accept changes again, resume the deployment.')
  if (command === 'pauses') {
    const { pauses, isRestored } = await readPauses(ctx)
    return isRestored ? 'Everything is paused: the table was restored. Run after-restore.' : describe(pauses)
  }
  const scope = await scopeOf(ctx, options)
  return describe(command === 'pause' ? await pause(ctx, scope, options.reason) : await resume(ctx, scope))
}
