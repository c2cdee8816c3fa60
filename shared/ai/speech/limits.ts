import { maxVideoBytes } from '../../media/types.ts'
import type { SpeechSettings } from '../settings.ts'

/** The largest file that each provider takes (OpenAI guide "Speech to text"; Amazon Transcribe takes what we store). */
const maxBytes: Readonly<Record<SpeechSettings['provider'], number>> = { openai: 25_000_000, transcribe: maxVideoBytes }

export const maxBytesOf = ({ provider }: SpeechSettings): number => maxBytes[provider]
