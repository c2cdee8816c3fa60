import * as z from 'zod/mini'
import { singleLine } from '../text/single-line.ts'
import { wellFormed } from '../text/well-formed.ts'

/** The name of a person, a workspace, or a token. */
export const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(80), singleLine, wellFormed)
