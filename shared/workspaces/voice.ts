import * as z from 'zod/mini'
import type { Actor } from '../audit/actor.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { absent, allOf, equal } from '../db/expression.ts'
import { type BatchRows, get, type Key, transact } from '../db/table.ts'
import { described } from '../http/described.ts'
import { wellFormed } from '../text/well-formed.ts'
import { retryOnConflict } from './retry-on-conflict.ts'

/** The settings of the specification (Personalization), in its order. */
const names = ['description', 'tone', 'style', 'personality'] as const

const Text = z.string().check(z.maxLength(2000), wellFormed)
const Setting = z.optional(z.nullable(Text))

/** Decided: a change merges; an empty text or null clears a setting, and null in place of the object clears all. */
export const VoiceChange = z.nullable(
  z
    .strictObject({
      description: described(Setting, 'What the brand is and whom it speaks to, at most 2,000 characters.'),
      tone: described(Setting, 'How texts should sound, at most 2,000 characters.'),
      style: described(Setting, 'How texts should be written, at most 2,000 characters.'),
      personality: described(Setting, 'Who seems to speak, at most 2,000 characters.'),
    })
    .register(z.globalRegistry, {
      id: 'PersonalizationChange',
      description:
        'What changes in the voice settings. Omitted fields keep their values; an empty text or null clears a field.',
    }),
)
export type VoiceChange = z.infer<typeof VoiceChange>

/** How texts for a workspace should sound; settings without a value are omitted. */
export const Voice = z
  .object({
    description: described(z.optional(z.string()), 'What the brand is and whom it speaks to.'),
    tone: described(z.optional(z.string()), 'How texts should sound.'),
    style: described(z.optional(z.string()), 'How texts should be written.'),
    personality: described(z.optional(z.string()), 'Who seems to speak.'),
  })
  .register(z.globalRegistry, {
    id: 'Personalization',
    description: 'How texts for a workspace should sound. Fields without a value are absent.',
  })
export type Voice = z.infer<typeof Voice>

// A separate row: the workspace's row is read with every call.
const key = (workspaceId: string): Key => ({ PK: `WS#${workspaceId}`, SK: 'VOICE' })

/** The row of the settings, read together with the authorization. */
export const voiceKeys = ({ workspaceId }: { workspaceId: string }): Key[] => [key(workspaceId)]

/** The settings; null if none is set. */
const viewVoice = (row: unknown): Voice | null => {
  const voice = z.parse(Voice, row ?? {})
  return Object.keys(voice).length === 0 ? null : voice
}

export const findVoice = (found: BatchRows, workspaceId: string): Voice | null =>
  viewVoice(found.item(key(workspaceId)))

/** The settings after a change; those without a value are omitted. */
const changedVoice = (voice: Voice, change: VoiceChange): Voice =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = change === null ? null : change[name] === undefined ? voice[name] : change[name]
      return value ? [[name, value] as const] : []
    }),
  )

/** Changes only the settings that were sent, so that two changes of different settings both last. */
export const changeVoice = (
  ctx: Context,
  asRead: BatchRows,
  workspaceId: string,
  change: VoiceChange,
  by: Actor,
): Promise<Voice | null> => {
  let read: () => Promise<unknown> | unknown = () => asRead.item(key(workspaceId))
  return retryOnConflict(async () => {
    const before = viewVoice(await read()) ?? {}
    read = () => get(ctx, key(workspaceId))
    const after = changedVoice(before, change)
    const changed = names.filter((name) => after[name] !== before[name])
    if (changed.length > 0) {
      const target = { type: 'workspace' as const, id: workspaceId }
      const action = 'workspace.voice_settings_updated'
      const filled = changed.flatMap((name) => (after[name] === undefined ? [] : [[name, after[name]] as const]))
      const set = { type: 'Voice', workspaceId, ...Object.fromEntries(filled) }
      const remove = changed.filter((name) => after[name] === undefined)
      const when = allOf(
        ...changed.map((name) => (before[name] === undefined ? absent(name) : equal(name, before[name]))),
      )
      await transact(ctx, () => [
        { update: key(workspaceId), change: { set, remove }, when },
        recordAudit(ctx, by, { workspaceId, action, target, before, after }),
      ])
    }
    return viewVoice(after)
  })
}
