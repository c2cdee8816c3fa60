import { readLogin as bluesky } from './bluesky/connect.ts'
import type { ReadLogin } from './connector.ts'
import type { FormPlatform } from './definitions.ts'

const readers: Record<FormPlatform, ReadLogin> = { bluesky }

/** Reads a submitted form; apart from `forms.ts`, because a page that only shows a form must not bundle what signs in. */
export const readLoginOf = (platform: FormPlatform): ReadLogin => readers[platform]
