import { hidden } from './field.ts'
import { type Html, html } from './html.ts'
import type { Visitor } from './visitor.ts'

/** Shows who is signed in, with a button to sign out. */
export const signedInAs = ({ session, formKey }: Visitor, returnTo?: string): Html =>
  html`<div class="who">
<p class="soft">Signed in as ${session.name}, ${session.email}.</p>
<form method="post" action="sign-out">
${hidden('form_key', formKey)}${hidden('return', returnTo)}
<button>Sign out</button>
</form>
</div>`
