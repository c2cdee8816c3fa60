import type { Field } from '../pages/field.ts'
import type { PlatformId } from '../resources.ts'
import { loginFields as bluesky } from './bluesky/login.ts'
import type { FormPlatform } from './definitions.ts'

const forms: Partial<Record<PlatformId, readonly Field[]>> = { bluesky } satisfies Record<
  FormPlatform,
  readonly Field[]
>

/** The inputs of the form that connects an account; none if people log in at the platform itself. */
export const formFieldsOf = (platform: PlatformId): readonly Field[] => forms[platform] ?? []
