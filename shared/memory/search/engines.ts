import type { Context } from '../../context.ts'
import { type Engine, type EngineName, enginesOf } from './engine.ts'
import { lexical } from './lexical.ts'
import { vectors } from './vectors.ts'

const all: Readonly<Record<EngineName, Engine>> = { lexical, vectors }

/** The engines of this deployment. */
export const engines = (ctx: Context): readonly Engine[] => enginesOf(ctx).map((name) => all[name])
