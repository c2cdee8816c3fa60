import * as z from 'zod/mini'
import { singleLine, wellFormed } from '../text/checks.ts'

/** The name of a person, a workspace, or a token. */
export const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(80), singleLine, wellFormed)
