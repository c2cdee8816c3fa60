import * as z from 'zod/mini'
import { html } from './html.ts'
import type { Page } from './layout.ts'

/** Which workspace a refused caller came from: its slug. */
export const BillingQuery = z.object({ workspace: z.optional(z.string().check(z.maxLength(100))) })

/** Where the `billingUrl` of a workspace leads; nothing is looked up, so it tells nobody which workspaces there are. */
export const billingPage = ({ workspace }: z.infer<typeof BillingQuery>): Page => ({
  title: 'A plan for your workspace',
  body: html`<p>${workspace === undefined ? 'A workspace' : html`The workspace <strong>${workspace}</strong>`} needs an active plan before it can schedule and publish.</p>
<p>This service takes no payments by itself. The people who run it put a workspace on a plan: send them the name of the workspace and the plan you want. It takes effect with the next call.</p>
<p>If you run the service: <code>npm run operator -- set-plan &lt;workspaceId&gt; &lt;plan name&gt;</code>.</p>`,
})
