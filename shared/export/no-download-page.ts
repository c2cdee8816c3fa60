import type { Context } from '../context.ts'
import type { Refusal } from '../errors/refusal.ts'
import { alert, links } from '../pages/field.ts'
import { html } from '../pages/html.ts'
import type { Page } from '../pages/layout.ts'

/** The page of a download link that cannot be used. */
export const noDownloadPage = (ctx: Context, refusal: Refusal): Page => ({
  title: 'No download',
  body: html`${alert(refusal)}${links({ 'Your workspaces': `${ctx.env('BASE_URL')}/workspaces` })}`,
})
