import * as z from 'zod/mini'
import { Refusal } from '../errors/refusal.ts'
import { type Scope, scopes } from '../identity/scope.ts'
import { maxPostsPerDay, type Safety } from '../workspaces/assistant-connection.ts'
import { authorizationParameters } from './authorization-request.ts'
import { type Preset, presets, presetsFor } from './scopes.ts'

const box = z.optional(z.literal('on'))
const line = z.optional(z.string().check(z.maxLength(20)))

/** The name of the box of a scope. */
export const boxOf = (scope: Scope): string => `allow ${scope}`

/** The submitted consent page: the original request, and the person's choice. */
export const ConsentForm = z.object({
  ...authorizationParameters,
  form_key: z.string(),
  answer: z.enum(['allow', 'deny']),
  workspace: z.optional(z.string().check(z.maxLength(100))),
  /** A choice of `presets`; otherwise the boxes count. */
  preset: line,
  posts_per_day: line,
  drafts_only: box,
  quiet_from: line,
  quiet_to: line,
})
export type ConsentForm = z.infer<typeof ConsentForm>

const refuse = (message: string, field: string) => new Refusal('invalid', message, { code: 'invalid_input', field })

const isPreset = (name: string | undefined, offered: readonly Scope[]): name is Preset =>
  presetsFor(offered).some((preset) => preset === name)

/** The scopes of the choice, or those whose boxes are checked; never more than the request contains. */
export const chosenScopes = (sent: Readonly<Record<string, string>>, offered: readonly Scope[]): Scope[] => {
  const { preset } = sent
  const allowed: readonly Scope[] = isPreset(preset, offered)
    ? presets[preset].scopes
    : scopes.filter((scope) => sent[boxOf(scope)] !== undefined)
  const chosen = scopes.filter((scope) => allowed.includes(scope) && offered.includes(scope))
  if (chosen.length > 0) return chosen
  throw refuse('Check at least one thing that the assistant may do, or deny the request.', 'scope')
}

const clockTime = /^([01]\d|2[0-3]):[0-5]\d$/

const quietHours = ({ quiet_from: from = '', quiet_to: to = '' }: ConsentForm, timeZone: string) => {
  if (from === '' && to === '') return {}
  if (!clockTime.test(from) || !clockTime.test(to) || from === to) {
    throw refuse('Quiet hours need two different times of day, such as 22:00 and 07:00.', 'quiet_from')
  }
  return { quietHours: { from, to, timeZone } }
}

/** The safety settings of the form. Decided: quiet hours are in the time zone of the workspace. */
export const chosenSafety = (form: ConsentForm, timeZone: string): Safety => {
  const { posts_per_day: typed = '', drafts_only: box, preset } = form
  const postsPerDay = Number(typed)
  if (typed !== '' && !(/^\d+$/.test(typed) && postsPerDay >= 1 && postsPerDay <= maxPostsPerDay)) {
    throw refuse(`Posts per day must be a whole number from 1 to ${maxPostsPerDay}.`, 'posts_per_day')
  }
  return {
    ...(typed === '' ? {} : { postsPerDay }),
    draftsOnly: box !== undefined || preset === 'drafts',
    ...quietHours(form, timeZone),
  }
}
