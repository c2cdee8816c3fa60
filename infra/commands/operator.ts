import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { makeContext } from '../../shared/context.ts'
import { Refusal } from '../../shared/errors/refusal.ts'
import { turnOffTwoFactor } from '../../shared/identity/change-two-factor.ts'
import { removePreviousKeys, rotateTokenKeys } from '../../shared/identity/rotate-token-keys.ts'
import { createVapidKeys } from '../../shared/notifications/providers/vapid.ts'
import { QuotaLimits, quotaNames } from '../../shared/quotas/quotas.ts'
import { setPlan } from '../../shared/workspaces/plan.ts'
import { describeRotation, describeTooEarly } from '../deploy/operator/describe-rotation.ts'
import { ExportArchive } from '../deploy/operator/import/archive.ts'
import { importWorkspace } from '../deploy/operator/import/workspace.ts'
import { migrate } from '../deploy/operator/migrate.ts'
import { changePauses } from '../deploy/operator/pauses.ts'
import { readRestoreTime, settleRestore, witnessesIn } from '../deploy/operator/settle-restore.ts'
import { namesOf } from '../deploy/stacks/names.ts'
import { holderOf } from '../local/start/hold-socket.ts'
import { layoutOf } from '../local/start/layout.ts'
import { defaultState } from '../local/start/options.ts'
import { reasonOf, Stop } from '../local/stop.ts'

const usage =
  'Usage: npm run operator -- set-plan <workspaceId> <planName> [--no-access] [--x-cap <posts>] [--quota <name>=<limit>]… [--state <folder>] | turn-off-two-factor <address> [--state <folder>] | rotate-token-keys [--remove-previous [--end-tokens]] [--state <folder>] | import-workspace <workspaceId> <archive.zip> [--state <folder>] | create-vapid-keys [--stage <stage>] [--state <folder>] | pause [--intake | --platform <platform> | --workspace <workspaceId>] [--reason <text>] [--state <folder>] | resume [--platform <platform> | --workspace <workspaceId>] [--state <folder>] | pauses [--state <folder>] | after-restore [--log <file>] [--state <folder>] | migrate [--rate <rows a second>] [--state <folder>]'

/** If a table, a secret, or a stage is named, the command works on AWS, otherwise on the local service. */
const reach = async (state: string): Promise<void> => {
  const { TABLE_NAME, TOKEN_KEYS_SECRET, PUSH_SECRETS_PREFIX } = process.env
  if (TABLE_NAME || TOKEN_KEYS_SECRET || PUSH_SECRETS_PREFIX) return
  const { claim, operator } = layoutOf(state)
  if ((await holderOf(claim)) === undefined) {
    throw new Stop(
      'No service runs here: start it first, or set TABLE_NAME or TOKEN_KEYS_SECRET and the credentials of the AWS account.',
    )
  }
  const text = readFileSync(operator, 'utf8')
  Object.assign(process.env, z.parse(z.record(z.string(), z.string()), JSON.parse(text)))
}

/** Quotas from the command line, `drafts=500` each; undefined for none, which removes those set before. */
const quotasIn = (given: readonly string[] | undefined): QuotaLimits | undefined => {
  if (given === undefined) return undefined
  const pairs = given.map((text) => text.split('='))
  const parsed = z.safeParse(QuotaLimits, Object.fromEntries(pairs.map(([name, limit]) => [name, Number(limit)])))
  if (parsed.success && pairs.every(({ length }) => length === 2)) return parsed.data
  throw new Stop(`--quota takes <name>=<limit>, a whole number above 0, of: ${quotaNames.join(', ')}.`)
}

/** The next step of a rotation of the token keys, or the removal of the previous ones. */
const rotate = async (removePrevious: boolean, endTokens: boolean): Promise<string> => {
  if (endTokens && !removePrevious) throw new Stop(usage)
  const ctx = makeContext(process.env)
  const step = removePrevious ? await removePreviousKeys(ctx, endTokens) : await rotateTokenKeys(ctx)
  if (step.kind === 'too-early') throw new Stop(describeTooEarly(step))
  return describeRotation(step)
}

/** Creates the keys of Web Push, or prints the public one. */
const createKeys = async (stage: string | undefined, state: string): Promise<string> => {
  if (stage !== undefined) process.env['PUSH_SECRETS_PREFIX'] = namesOf(stage).pushSecretsPrefix
  await reach(state)
  const { publicKey, isNew } = await createVapidKeys(makeContext(process.env))
  const made = isNew ? 'The VAPID keys are stored.' : 'The VAPID keys were stored before, and stay.'
  return `${made} Set "vapidPublicKey" to "${publicKey}" and deploy.`
}

/** Imports the archive of an export; run again, it adds what is missing. */
const importArchive = async (workspaceId: string, path: string): Promise<string> => {
  const archive = await ExportArchive.open(path)
  try {
    const added = await importWorkspace(makeContext(process.env), archive, workspaceId)
    return `Added: ${Object.entries(added)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ')}.`
  } finally {
    archive.close()
  }
}

/** What only an operator may do, from the command line. */
const run = async (args: readonly string[]): Promise<string> => {
  const options = {
    'no-access': { type: 'boolean' },
    'x-cap': { type: 'string' },
    quota: { type: 'string', multiple: true },
    state: { type: 'string' },
    'remove-previous': { type: 'boolean', default: false },
    'end-tokens': { type: 'boolean', default: false },
    stage: { type: 'string' },
    intake: { type: 'boolean' },
    platform: { type: 'string' },
    workspace: { type: 'string' },
    reason: { type: 'string' },
    rate: { type: 'string' },
    log: { type: 'string' },
  } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [command, workspaceId, planName, ...rest] = positionals
  if ((command === 'pause' || command === 'resume' || command === 'pauses') && workspaceId === undefined) {
    await reach(resolve(values.state ?? defaultState))
    return changePauses(makeContext(process.env), command, values)
  }
  if (command === 'after-restore' && workspaceId === undefined) {
    await reach(resolve(values.state ?? defaultState))
    const ctx = makeContext(process.env)
    const witnesses = values.log === undefined ? undefined : witnessesIn(readFileSync(values.log, 'utf8'))
    return settleRestore(ctx, await readRestoreTime(ctx), witnesses)
  }
  if (command === 'migrate' && workspaceId === undefined) {
    await reach(resolve(values.state ?? defaultState))
    return migrate(makeContext(process.env), values.rate)
  }
  if (command === 'rotate-token-keys' && workspaceId === undefined) {
    await reach(resolve(values.state ?? defaultState))
    return rotate(values['remove-previous'], values['end-tokens'])
  }
  if (command === 'create-vapid-keys' && workspaceId === undefined) {
    return createKeys(values.stage, resolve(values.state ?? defaultState))
  }
  if (command === 'turn-off-two-factor' && workspaceId && planName === undefined) {
    await reach(resolve(values.state ?? defaultState))
    const email = workspaceId.toLowerCase()
    await turnOffTwoFactor(makeContext(process.env), email)
    return `${email} signs in with the password alone, and was mailed so.`
  }
  if (command === 'import-workspace' && workspaceId && planName && rest.length === 0) {
    await reach(resolve(values.state ?? defaultState))
    return importArchive(workspaceId, planName)
  }
  if (command !== 'set-plan' || !workspaceId || !planName || rest.length > 0) throw new Stop(usage)
  const cap = values['x-cap'] === undefined ? undefined : Number(values['x-cap'])
  if (cap !== undefined && !(Number.isInteger(cap) && cap >= 0)) throw new Stop(usage)
  await reach(resolve(values.state ?? defaultState))
  const hasAccess = !values['no-access']
  const plan = { status: hasAccess ? 'active' : 'inactive', planName, hasAccess }
  const workspace = await setPlan(makeContext(process.env), workspaceId, plan, {
    xMonthlyCap: cap,
    quotas: quotasIn(values.quota),
  })
  if (workspace === undefined) throw new Stop(`There is no workspace "${workspaceId}".`)
  return `${workspace.name} (${workspaceId}) is on the plan "${planName}", ${hasAccess ? 'with' : 'without'} access.`
}

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`)
} catch (error) {
  const isTheirs = error instanceof Stop || error instanceof Refusal || error instanceof TypeError
  process.stderr.write(`${isTheirs ? reasonOf(error) : error}\n`)
  process.exitCode = 1
}
