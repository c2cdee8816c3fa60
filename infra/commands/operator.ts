import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import type { Context } from '../../shared/context.ts'
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
import { reasonOf, Stop } from '../local/stop.ts'
import { backupCommands } from './operator/backups.ts'
import { type Command, options } from './operator/command.ts'
import { reach } from './operator/reach.ts'

/** Quotas from the command line, `drafts=500` each; undefined for none, which removes those set before. */
const quotasIn = (given: readonly string[] | undefined): QuotaLimits | undefined => {
  if (given === undefined) return undefined
  const pairs = given.map((text) => text.split('='))
  const parsed = z.safeParse(QuotaLimits, Object.fromEntries(pairs.map(([name, limit]) => [name, Number(limit)])))
  if (parsed.success && pairs.every(({ length }) => length === 2)) return parsed.data
  throw new Stop(`--quota takes <name>=<limit>, a whole number above 0, of: ${quotaNames.join(', ')}.`)
}

/** Imports the archive of an export; run again, it adds what is missing. */
const importArchive = async (ctx: Context, workspaceId: string, path: string): Promise<string> => {
  const archive = await ExportArchive.open(path)
  try {
    const added = await importWorkspace(ctx, archive, workspaceId)
    return `Added: ${Object.entries(added)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ')}.`
  } finally {
    archive.close()
  }
}

const changesPauses = (command: 'pause' | 'resume' | 'pauses', usage: string): Command => ({
  usage,
  run: async (values) => changePauses(await reach(values.state), command, values),
})

const commands: Readonly<Record<string, Command>> = {
  'set-plan': {
    usage: '<workspaceId> <planName> [--no-access] [--x-cap <posts>] [--quota <name>=<limit>]… [--state <folder>]',
    async run(values, workspaceId, planName) {
      const cap = values['x-cap'] === undefined ? undefined : Number(values['x-cap'])
      if (cap !== undefined && !(Number.isInteger(cap) && cap >= 0)) return undefined
      const ctx = await reach(values.state)
      const hasAccess = !values['no-access']
      const plan = { status: hasAccess ? 'active' : 'inactive', planName, hasAccess }
      const limits = { xMonthlyCap: cap, quotas: quotasIn(values.quota) }
      const workspace = await setPlan(ctx, workspaceId, plan, limits)
      if (workspace === undefined) throw new Stop(`There is no workspace "${workspaceId}".`)
      return `${workspace.name} (${workspaceId}) is on the plan "${planName}", ${hasAccess ? 'with' : 'without'} access.`
    },
  },
  'turn-off-two-factor': {
    usage: '<address> [--state <folder>]',
    async run(values, address) {
      const email = address.toLowerCase()
      await turnOffTwoFactor(await reach(values.state), email)
      return `${email} signs in with the password alone, and was mailed so.`
    },
  },
  'rotate-token-keys': {
    usage: '[--remove-previous [--end-tokens]] [--state <folder>]',
    async run({ state, 'remove-previous': removesPrevious, 'end-tokens': endsTokens = false }) {
      const ctx = await reach(state)
      if (endsTokens && !removesPrevious) return undefined
      const step = removesPrevious ? await removePreviousKeys(ctx, endsTokens) : await rotateTokenKeys(ctx)
      if (step.kind === 'too-early') throw new Stop(describeTooEarly(step))
      return describeRotation(step)
    },
  },
  'import-workspace': {
    usage: '<workspaceId> <archive.zip> [--state <folder>]',
    run: async (values, workspaceId, path) => importArchive(await reach(values.state), workspaceId, path),
  },
  'create-vapid-keys': {
    usage: '[--stage <stage>] [--state <folder>]',
    async run({ stage, state }) {
      if (stage !== undefined) process.env['PUSH_SECRETS_PREFIX'] = namesOf(stage).pushSecretsPrefix
      const { publicKey, isNew } = await createVapidKeys(await reach(state))
      const made = isNew ? 'The VAPID keys are stored.' : 'The VAPID keys were stored before, and stay.'
      return `${made} Set "vapidPublicKey" to "${publicKey}" and deploy.`
    },
  },
  pause: changesPauses(
    'pause',
    '[--intake | --platform <platform> | --workspace <workspaceId>] [--reason <text>] [--state <folder>]',
  ),
  resume: changesPauses('resume', '[--platform <platform> | --workspace <workspaceId>] [--state <folder>]'),
  pauses: changesPauses('pauses', '[--state <folder>]'),
  'after-restore': {
    usage: '[--log <file>] [--state <folder>]',
    async run({ log, state }) {
      const ctx = await reach(state)
      const witnesses = log === undefined ? undefined : witnessesIn(readFileSync(log, 'utf8'))
      const settled = await settleRestore(ctx, await readRestoreTime(ctx), witnesses)
      return `${settled} The table may be used now: end the pause of the deployment if there is one.`
    },
  },
  migrate: {
    usage: '[--rate <rows a second>] [--state <folder>]',
    run: async ({ rate, state }) => migrate(await reach(state), rate),
  },
  ...backupCommands,
}

const usageOf = ([name, { usage }]: [string, Command]): string => `npm run operator -- ${name} ${usage}`

const countArguments = ({ usage }: Command): number => usage.split('[', 1)[0]?.match(/<[^>]+>/g)?.length ?? 0

/** What only an operator may do, from the command line. */
const run = async (args: readonly string[]): Promise<string> => {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [name = '', ...given] = positionals
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw new Stop(`Usage:\n${Object.entries(commands).map(usageOf).join('\n')}`)
  const done = given.length === countArguments(command) ? await command.run(values, ...given) : undefined
  if (done === undefined) throw new Stop(`Usage: ${usageOf([name, command])}`)
  return done
}

run(process.argv.slice(2)).then(
  (sentence) => process.stdout.write(`${sentence}\n`),
  (error: unknown) => {
    const isTheirs = error instanceof Stop || error instanceof Refusal || error instanceof TypeError
    process.stderr.write(`${isTheirs ? reasonOf(error) : error}\n`)
    process.exitCode = 1
  },
)
