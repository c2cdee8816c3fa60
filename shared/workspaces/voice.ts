import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { type BatchRows, type Key, update } from '../db/table.ts'
import { wellFormed } from '../text/well-formed.ts'

/** The settings of the specification (Personalization), in its order. */
const names = ['description', 'tone', 'style', 'personality'] as const

const Text = z.string().check(z.maxLength(2000), wellFormed)
const Setting = z.optional(z.nullable(Text))

/** Decided: a change merges; an empty text or null clears a setting, and null in place of the object clears all. */
export const VoiceChange = z.nullable(
  z
    .strictObject({ description: Setting, tone: Setting, style: Setting, personality: Setting })
    .register(z.globalRegistry, { id: 'PersonalizationChange' }),
)
export type VoiceChange = z.infer<typeof VoiceChange>

/** How texts for a workspace should sound; settings without a value are omitted. */
export const Voice = z
  .object({
    description: z.optional(z.string()),
    tone: z.optional(z.string()),
    style: z.optional(z.string()),
    personality: z.optional(z.string()),
  })
  .register(z.globalRegistry, { id: 'Personalization' })
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

/** Changes only the settings that were sent, so that two changes of different settings both last. */
export const changeVoice = async (ctx: Context, workspaceId: string, change: VoiceChange): Promise<Voice | null> => {
  const sent = names.filter((name) => change === null || change[name] !== undefined)
  const filled = sent.flatMap((name) => (change?.[name] ? [[name, change[name]] as const] : []))
  const remove = sent.filter((name) => !change?.[name])
  const set = { type: 'Voice', workspaceId, ...Object.fromEntries(filled) }
  return viewVoice(await update(ctx, key(workspaceId), { set, remove }))
}
