import { type Html, html } from '../../../shared/pages/html.ts'
import { page } from '../pages/page.ts'
import type { Answer } from '../pages/server.ts'
import { type Call, Refused, type Route } from '../platforms/standin.ts'
import type { Books } from './books.ts'
import { parseForm, textIn } from './form.ts'
import type { Life } from './life.ts'
import type { Session } from './model.ts'
import { stripeSeed } from './seed.ts'

const dollars = (cents: number) => `${(cents / 100).toFixed(2)} USD`

const moveTo = (address: string): Answer => ({ status: 303, headers: { location: address } })

const frame = (title: string, body: Html): Answer =>
  page({ title, narrow: true, main: html`<article><div class="top"><b>Stripe stand-in</b></div>${body}</article>` })

const payPage = (session: Session, problem?: string): Answer => {
  const { amount, name } = stripeSeed.prices[session.price] ?? { amount: 0, name: session.price }
  const trial = session.trialDays > 0 ? html`<p class="text">${session.trialDays} days free, then every month.</p>` : ''
  return frame(
    'Checkout',
    html`<p class="text">${name}: ${dollars(amount)} a month</p>${trial || undefined}${problem ? html`<p class="text">${problem}</p>` : undefined}
<form method="post"><p>
<label><input type="radio" name="card" value="good" checked> A card that pays</label><br>
<label><input type="radio" name="card" value="late"> A card that pays now and is declined later</label><br>
<label><input type="radio" name="card" value="bad"> A card that is declined</label></p>
<div class="actions"><button name="do" value="back">Back</button><button name="do" value="pay" class="main">Subscribe</button></div></form>`,
  )
}

/** The two Stripe pages that people see: checkout and the customer portal. */
export const pageRoutes = (books: Books, life: Life): Route[] => {
  const sessionOf = ({ params }: Call) => books.find(books.sessions, 'checkout.session', params['id'] ?? '')
  const setCard = (customer: string, pays: boolean) => {
    books.customers.set(customer, { ...books.find(books.customers, 'customer', customer), pays })
  }

  const complete = (session: Session, card: string | undefined): Answer => {
    setCard(session.customer, card !== 'bad')
    try {
      if (card === 'bad') return payPage(session, 'Your card was declined.')
      life.begin(session)
      setCard(session.customer, card === 'good')
      return moveTo(session.success_url)
    } catch (error) {
      if (error instanceof Refused) return payPage(session, 'Your card was declined.')
      throw error
    }
  }

  const portal = (call: Call): Answer => {
    const { id, name, pays } = books.find(books.customers, 'customer', call.params['id'] ?? '')
    const invoices = books.invoices
      .values()
      .filter(({ customer, amount_due }) => customer === id && amount_due > 0)
      .map((invoice) => html`<p class="text">${invoice.id}: ${dollars(invoice.amount_due)}, ${invoice.status}</p>`)
    const back = call.query.get('return') ?? ''
    return frame(
      'Portal',
      html`<p class="text">${name ?? id}. The card ${pays ? 'pays' : 'is declined'}.</p>${invoices}
<form method="post"><div class="actions">
<button name="do" value="break">Use a card that is declined</button>
<button name="do" value="fix" class="main">Use a card that pays</button></div></form>
<p class="text"><a href="${back}">Back to the service</a></p>`,
    )
  }

  /** A new card also pays open invoices. */
  const changeCard = (call: Call): Answer => {
    const id = call.params['id'] ?? ''
    setCard(id, textIn(parseForm(call.body.toString('utf8')), 'do') === 'fix')
    for (const invoice of books.invoices.values()) {
      if (invoice.customer !== id || invoice.status !== 'open') continue
      books.saveInvoice({ ...invoice, next_payment_attempt: books.now() })
    }
    life.tick()
    return portal(call)
  }

  return [
    {
      method: 'GET',
      path: '/pay/:id',
      operation: 'pay_page',
      answer(call) {
        life.tick()
        const session = sessionOf(call)
        if (session.status === 'open') return payPage(session)
        return frame('Checkout', html`<p class="text">This page is ${session.status}.</p>`)
      },
    },
    {
      method: 'POST',
      path: '/pay/:id',
      operation: 'pay',
      answer(call) {
        life.tick()
        const session = sessionOf(call)
        if (session.status !== 'open')
          return frame('Checkout', html`<p class="text">This page is ${session.status}.</p>`)
        const form = parseForm(call.body.toString('utf8'))
        return textIn(form, 'do') === 'back' ? moveTo(session.cancel_url) : complete(session, textIn(form, 'card'))
      },
    },
    { method: 'GET', path: '/portal/:id', operation: 'portal_page', answer: portal },
    { method: 'POST', path: '/portal/:id', operation: 'portal_card', answer: changeCard },
  ]
}
