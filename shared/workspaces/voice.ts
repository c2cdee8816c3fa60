import * as z from 'zod/mini'
import type { Actor } from '../audit/actor.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { allOf, asStored } from '../db/expression.ts'
import { retryOnConflict } from '../db/retry-on-conflict.ts'
import { type BatchRows, get, type Key } from '../db/table.ts'
import { described } from '../http/described.ts'
import { wellFormed } from '../text/well-formed.ts'
import { workspaceRetries } from './retries.ts'

/** The settings of the specification (Personalization), in its order. */
const names = ['description', 'tone', 'style', 'personality'] as const

const Text = z.string().check(z.maxLength(2000), wellFormed)
const Setting = z.optional(z.nullable(Text))

/** Decided: a change merges; an empty text or null clears a setting, and null instead of the object clears all. */
export const VoiceChange = z.nullable(
  z
    .strictObject({
      description: described(Setting, 'What the brand is and whom it speaks to, at most 2,000 characters.'),
      tone: described(Setting, 'How texts should sound, at most 2,000 characters.'),
      style: described(Setting, 'How texts should be written, at most 2,000 characters.'),
      personality: described(Setting, 'The persona the text speaks as, at most 2,000 characters.'),
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
    personality: described(z.optional(z.string()), 'The persona the text speaks as.'),
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

export const findVoice = (rows: BatchRows, workspaceId: string): Voice | null => viewVoice(rows.item(key(workspaceId)))

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
  { asRead, workspaceId }: { asRead: BatchRows; workspaceId: string },
  change: VoiceChange,
  by: Actor,
): Promise<Voice | null> => {
  const rowKey = key(workspaceId)
  return retryOnConflict(workspaceRetries, async (isFirst) => {
    const before = viewVoice(isFirst ? asRead.item(rowKey) : await get(ctx, rowKey)) ?? {}
    const after = changedVoice(before, change)
    const changed = names.filter((name) => after[name] !== before[name])
    if (changed.length > 0) {
      const filled = changed.flatMap((name) => (after[name] === undefined ? [] : [[name, after[name]] as const]))
      const set = { type: 'Voice', workspaceId, ...Object.fromEntries(filled) }
      const remove = changed.filter((name) => after[name] === undefined)
      const when = allOf(...changed.map((name) => asStored(name, before[name])))
      const target = { type: 'workspace', id: workspaceId } as const
      const audit = { by, action: 'workspace.voice_settings_updated', target, before, after } as const
      await commit(ctx, { id: workspaceId }, { writes: [{ update: rowKey, change: { set, remove }, when }], audit })
    }
    return viewVoice(after)
  })
}
