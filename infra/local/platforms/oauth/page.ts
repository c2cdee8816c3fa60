import { html } from '../../../../shared/pages/html.ts'
import { page } from '../../pages/page.ts'
import type { Answer } from '../../pages/server.ts'
import type { Login } from './login.ts'

/** The consent page of a stand-in: the user, and the decision about the app. */
export function askPage(name: string, people: readonly Login[], query: string): Answer {
  const choice = html`${people.map(
    (person, index) =>
      html`<label class="check"><input type="radio" name="person" value="${person.id}"${index === 0 ? html` checked` : undefined}> ${person.name}</label>`,
  )}`
  const main = html`<article>
<div class="top"><b>${name} stand-in</b></div>
<p class="text">Social Publishing wants to publish for you.</p>
<form method="post" action="?${query}">${choice}
<div class="actions"><button name="answer" value="deny">Cancel</button><button name="answer" value="allow" class="main">Authorize</button></div></form>
</article>`
  return page({ title: 'Authorize', main, narrow: true })
}
